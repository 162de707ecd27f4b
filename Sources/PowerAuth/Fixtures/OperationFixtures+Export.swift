import Crypto
import Essentials

extension OperationTemplateFixture {
    init(_ template: OperationTemplate) {
        self.init(
            id: template.name, number: template.number, type: template.type, data: template.data,
            factors: template.types.map(\.rawValue), maxFailures: template.maxFailures,
            seconds: template.seconds, riskFlags: template.riskFlags,
            checksProximity: template.checksProximity)
    }
}

extension MobileTemplateFixture {
    /// One for each type, in the order in which they came.
    static func all(of templates: [MobileTemplate]) -> [MobileTemplateFixture] {
        var fixtures: [MobileTemplateFixture] = []
        for template in templates {
            if fixtures.last?.id != template.type {
                fixtures.append(MobileTemplateFixture(id: template.type, texts: [:]))
            }
            fixtures[fixtures.count - 1].texts[template.language] = Text(
                title: template.title, message: template.message, attributes: template.attributes,
                ui: template.ui?.object, resultTexts: template.resultTexts?.object)
        }
        return fixtures
    }
}

extension OperationFixture {
    init(_ operation: Operation) {
        self.init(
            id: operation.id, user: operation.user, activation: operation.activation,
            applications: operation.applications, template: operation.template, type: operation.type,
            data: operation.data, parameters: operation.parameters,
            additionalData: operation.additionalData, state: operation.state,
            stateReason: operation.stateReason, factors: operation.types.map(\.rawValue),
            riskFlags: operation.riskFlags, failures: operation.failures,
            maxFailures: operation.maxFailures, proximitySeed: operation.proximitySeed.map(Base64.encode),
            flag: operation.flag, externalID: operation.externalID, language: operation.language,
            createdAt: operation.createdAt, expiresAt: operation.expiresAt,
            finalizedAt: operation.finalizedAt)
    }
}

extension InboxMessageFixture {
    init(_ message: InboxMessage) {
        self.init(
            id: message.id, user: message.user, applications: message.applications, format: message.format,
            subject: message.subject, summary: message.summary, body: message.body, isRead: message.isRead,
            createdAt: message.createdAt)
    }
}

extension PushDeviceFixture {
    init(_ device: PushDevice) {
        self.init(
            activation: device.activation, service: device.service, token: device.token,
            environment: device.environment, registeredAt: device.registeredAt)
    }
}
