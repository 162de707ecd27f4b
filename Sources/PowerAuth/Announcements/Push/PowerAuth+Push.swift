import Essentials
import PlatformKit
import SQLite

/// Pushes go to the outbox, one for each device, and nowhere else.
extension PowerAuth {
    func push(about item: News) throws {
        switch item {
        case .push(let message): try deliver(message, isAskedFor: true)
        case .operationCreated(let operation, let isSilent):
            if !isSilent, let message = try invitation(to: operation) { try deliver(message) }
        case .operation(let operation):
            if let message = ending(of: operation) { try deliver(message) }
        case .activation(let activation):
            guard [.active, .blocked].contains(activation.state) else { return }
            var message = PushMessage(user: activation.user, activation: activation.id, isSilent: true)
            message.extras = ["messageType": "mtoken.statusChange", "activationId": .string(activation.id)]
            try deliver(message)
        }
    }

    /// Title and text are those that the device shows, in the language of the operation; the real product has texts of their own.
    private func invitation(to operation: Operation) throws -> PushMessage? {
        guard let user = operation.user else { return nil }
        let template = try database.read { db in
            try templates(in: db).mobile(operation.type, in: operation.language)
        }
        var message = PushMessage(user: user, activation: operation.activation)
        message.applications = operation.applications
        message.title = template?.title(with: operation.parameters) ?? operation.type
        message.body = template?.message(with: operation.parameters) ?? ""
        message.sound = "default"
        message.extras = members("mtoken.operationInit", of: operation)
        message.extras["activationId"] = operation.activation.map(JSONValue.string)
        return message
    }

    private func ending(of operation: Operation) -> PushMessage? {
        let result: String? =
            switch operation.state(at: services.clock.now()) {
            case .pending: nil
            case .approved: "authentication.success"
            case .failed: "authentication.fail"
            case .expired: "operation.timeout"
            // Of a rejection *assumed*.
            case .canceled, .rejected: "operation.canceled"
            }
        guard let user = operation.user, let result else { return nil }
        var message = PushMessage(user: user, activation: operation.activation, isSilent: true)
        message.applications = operation.applications
        message.extras = members("mtoken.operationFinished", of: operation)
        message.extras["mtokenOperationResult"] = .string(result)
        return message
    }

    private func members(_ type: JSONValue, of operation: Operation) -> [String: JSONValue] {
        [
            "messageType": type, "operationId": .string(operation.id),
            "operationName": .string(operation.type),
        ]
    }

    private func deliver(_ message: PushMessage, isAskedFor: Bool = false) throws {
        let devices = try database.read { try PushDevice.all(of: message.user, in: $0) }.filter {
            (message.activation == nil || $0.device.activation == message.activation)
                && (message.applications?.contains($0.application) ?? true)
        }
        if devices.isEmpty, isAskedFor || !message.isSilent {
            services.journal.event(
                "push without device", about: message.user,
                "A push for \"\(message.user)\" went nowhere: no device of theirs is registered for pushes; an app does that by "
                    + "POST /enrollment-server/api/push/device/register.")
        }
        let forms = PushForms(message: message)
        for addressed in devices {
            let device = addressed.device
            let content: JSONValue = [
                "activationId": .string(device.activation), "service": .string(device.service.rawValue),
                "apns": forms.apns, "fcm": forms.fcm,
            ]
            try services.outbox.deliver(
                Message(
                    .push, kind: "push", from: Message.Address(addressed.application),
                    to: Message.Address(device.token, name: message.user), subject: message.title ?? "",
                    text: content.text, source: Self.name))
        }
    }
}
