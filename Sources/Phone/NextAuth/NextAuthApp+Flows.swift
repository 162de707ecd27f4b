import DeviceKit
import Essentials
import NextAuthDevice
import PlatformKit

// What is scanned, and how the person enrols.
extension NextAuthApp {
    package static let scans = "codes for enrolments, logins and transactions"

    package static func recognises(_ text: String) -> Bool { flowType(of: text) != nil }

    package static func needsEnrolment(_ text: String) -> Bool { flowType(of: text) != "ENROL" }

    private static func flowType(of text: String) -> String? {
        // What is no code of nextAuth is something else.
        try? NextAuthDevice.flowType(ofCode: text)
    }

    package func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport {
        try install(typed)
        kept?.touchedAt = handset.worldNow
        if Self.flowType(of: text) == "ENROL" { return try enrol(text, typed) }
        let waiting = try asking { kept, services in
            let waiting = WaitingFlow(flow: try kept.device.start(code: text, using: services))
            kept.flows.append(waiting)
            return waiting
        }
        let request = Self.request(waiting, kept)
        return PhoneReport(
            request.kind, request.id, "“\(request.title)” is waiting for an answer as \(request.id).")
    }

    package func enrol(_ user: String, _ typed: TypedIn, office: BackOffice) throws -> PhoneReport {
        guard let server = typed.application ?? handset.configurations.first?.application else {
            throw PhoneRefusal.notConfigured(Self.title)
        }
        let code: String
        do {
            let id = try office.make(
                "enrolment",
                ["name": user, "user": typed.user ?? handset.phone.mail ?? user, "server": server])
            code = try office.record(id)?.code ?? ""
        } catch let refusal as any Refusal {
            throw PhoneRefusal(.refused, refusal.explanation)
        }
        return try scan(code, typed)
    }

    /// The first account chooses the PIN, and each further one asks for it.
    private func enrol(_ code: String, _ typed: TypedIn) throws -> PhoneReport {
        let isFirst = !isEnrolled
        if isFirst {
            kept?.pin = typed.pin ?? TypedIn.standardPIN
            kept?.device.config.biometricsDisabled = typed.usesBiometry ? nil : true
        }
        let now = handset.worldNow
        return try asking { kept, services in
            let flow = try kept.device.start(code: code, using: services)
            do {
                try kept.device.approve(
                    flow, with: .pin(isFirst ? kept.pin : typed.pin ?? kept.pin), using: services)
            } catch let refusal as SDKRefusal where refusal.sdk.name == "WRONG" {
                // Nobody tries again: the code is good for another scan.
                try kept.device.decline(kept.device.flow(flow.id, using: services), using: services)
                throw Self.wrong(refusal)
            }
            guard let account = kept.device.accounts.last else {
                throw DeviceError("the server made no account")
            }
            kept.pingFrom(now)
            return PhoneReport(
                "activation", String(account.id),
                "the app has the account \(account.id), \(account.username)\(account.userID.map { " for \($0)" } ?? "")."
            )
        }
    }

    static func wrong(_ refusal: SDKRefusal) -> PhoneRefusal {
        let tries = refusal.body?["interaction"]?["triesleft"]?.integer
        return PhoneRefusal(
            .refused, sdkError: "SecondFactor.\(refusal.sdk.name)",
            refusal.sdk.name == "BLOCKED"
                ? "The PIN was wrong too often and is blocked."
                : "The PIN is wrong; tries left: \(tries.map(String.init) ?? "unknown").")
    }
}

// What waits.
extension NextAuthApp {
    package func refresh() throws {
        let failures = try asking { kept, services in
            _ = try kept.device.events(using: services)
            kept.forgetEnded()
            let known = Set(kept.flows.compactMap(\.message?.id))
            var failures: [PhoneRefusal] = []
            for message in try kept.device.messages(using: services)
            where ["LOGIN", "TRANSACTION"].contains(message.type) && !known.contains(message.id) {
                do {
                    let flow = try kept.device.start(message, using: services)
                    kept.flows.append(WaitingFlow(flow: flow, message: message))
                } catch let refusal as SDKRefusal {
                    failures.append(Self.failed(message, refusal))
                }
            }
            return failures
        }
        if let first = failures.first { throw first }
    }

    /// The server told it once, and has no such message for the device any more.
    private static func failed(_ message: NextAuthDevice.Message, _ refusal: SDKRefusal) -> PhoneRefusal {
        PhoneRefusal(
            .refused, sdkError: refusal.sdk.text,
            "The push \(message.id), \(message.type), had no effect: the platform answered \(refusal.status) \(refusal.code ?? "")."
        )
    }

    package var requests: [PhoneRequest] { (kept?.flows ?? []).map { Self.request($0, kept) } }

    private static let kindsOfFlows: KeyValuePairs = [
        "LOGIN": "login", "APPLOGIN": "applogin", "TRANSACTION": "transaction",
    ]

    package static let kinds = kindsOfFlows.map { $0.value }

    static func request(_ waiting: WaitingFlow, _ kept: Kept?) -> PhoneRequest {
        let flow = waiting.flow
        let server = flow.json["server"]?["serverName"]?.string ?? ""
        let announced = flow.json["interaction"]?["announceinfo"]
        let title =
            flow.transaction?["description"]?.string
            ?? (flow.type == "TRANSACTION" ? "Transaction" : "Log in")
        return PhoneRequest(
            id: waiting.id, platform: platform,
            kind: kindsOfFlows.first { $0.key == flow.type }?.value ?? flow.type, title: title,
            message: flow.type == "APPLOGIN" ? "AppLogin at \(server)" : "For \(server)",
            details: details(of: flow.transaction) + details(of: announced),
            ways: ways(of: flow, hasBiometry: kept?.device.hasBiometry ?? false))
    }

    private static func details(of context: JSONValue?) -> [ConsoleRecord.Fact] {
        let names = [
            ("amount", "Amount"), ("benificiary", "Beneficiary"), ("ip", "Address"),
            ("useragent", "Browser"),
        ]
        let told = names.compactMap { name, title in
            context?[name]?.string.map { ConsoleRecord.Fact(title, $0) }
        }
        let more = (context?["info"]?.object ?? [:]).sorted { $0.key < $1.key }
        return told + more.compactMap { name, value in value.string.map { ConsoleRecord.Fact(name, $0) } }
    }

    private static func ways(of flow: NextAuthDevice.Flow, hasBiometry: Bool) -> [PhoneAnswer.Way] {
        guard let interaction = flow.json["interaction"], !interaction.isNull else { return [.possession] }
        guard let allowed = interaction["allowed"]?.strings else {
            return hasBiometry ? [.pin, .biometry] : [.pin]
        }
        let ways: [(String, PhoneAnswer.Way)] = [("PIN", .pin), ("BIOMETRIC", .biometry)]
        return ways.filter { allowed.contains($0.0) }.map(\.1)
    }
}

extension NextAuthApp.Kept {
    /// Sessions that are new begin to be kept alive.
    mutating func pingFrom(_ now: Date) {
        forgetEnded()
        for session in device.sessions where pings[session.id] == nil {
            pings[session.id] = now + Double(session.pingTime) / 2
        }
    }

    mutating func forgetEnded() {
        let running = Set(device.sessions.map(\.id))
        pings = pings.filter { running.contains($0.key) }
        if device.appLogin == nil { appLoginAt = nil }
    }
}
