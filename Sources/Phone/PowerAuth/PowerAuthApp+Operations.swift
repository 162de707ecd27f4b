import Crypto
import Essentials
import PlatformKit
import PowerAuthDevice

/// What a QR code or a link says of an operation, mostly with a code that shows that the phone is near the screen.
///
/// Source: Mobile Token SDK, “Proximity anti-fraud check”: `scheme://…?oid=…&totp=…`, or a JWT with the same members, by itself or as the
/// only member of a link.
struct ScannedOperation {
    let id: String
    let otp: String?
    let isLink: Bool

    init?(_ text: String) {
        let values = Link.values(in: text)
        let members =
            values.count == 1 ? Self.token(values[0].value) : values.isEmpty ? Self.token(text) : nil
        let named = members ?? Dictionary(values) { first, _ in first }
        guard let id = named["oid"], !id.isEmpty else { return nil }
        (self.id, otp, isLink) = (id, named["totp"] ?? named["potp"], text.contains("://"))
    }

    private static func token(_ text: String) -> [String: String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let bytes = Base64URL.decode(String(parts[1]), allowingPadding: true),
            // What is no JSON is no token.
            let claims = try? JSONValue(parsing: bytes)
        else { return nil }
        return claims.object?.compactMapValues(\.string)
    }
}

extension OfflineOperation {
    static func isOne(_ text: String) -> Bool {
        // What cannot be read is none.
        (try? OfflineOperation(parsing: text)) != nil
    }
}

extension PowerAuthApp {
    package func refresh() throws {
        let device = try synchronisedDevice()
        if kept?.state != "ACTIVE" || kept?.isPushed == false { try asking(.sdk) { try askStatus() } }
        switch kept?.state {
        case "ACTIVE": try asking { try registerPush(device) }
        // The app asks, and is told.
        case "BLOCKED": break
        default:
            kept?.operations = []
            return
        }
        try asking {
            do {
                kept?.operations = try device.pendingOperations().map(\.json)
            } catch let refusal as ServerRefusal where refusal.status == 401 {
                // The activation was blocked or removed meanwhile, which an app finds out so.
                try askStatus()
                if kept?.state != "ACTIVE" { kept?.operations = [] }
                guard kept?.state == "REMOVED" else { throw refusal }
            }
        }
    }

    private func registerPush(_ device: Device) throws {
        guard kept?.isPushed == false else { return }
        try device.registerPush(
            platform: handset.phone.model == .ios ? "apns" : "fcm", token: handset.pushToken)
        kept?.isPushed = true
    }

    package var requests: [PhoneRequest] {
        guard let kept else { return [] }
        let offline = kept.offline.values.sorted().compactMap { try? OfflineOperation(parsing: $0) }
        return kept.operations.compactMap(Self.request)
            + offline.map { operation in
                PhoneRequest(
                    id: operation.id, platform: Self.platform, kind: "offline", title: operation.title,
                    message: operation.message, details: [.init("Data", operation.data)],
                    ways: operation.allowsBiometry ? [.pin, .biometry] : [.pin])
            }
    }

    private static func request(_ json: JSONValue) -> PhoneRequest? {
        guard let id = json["id"]?.string, let form = json["formData"] else { return nil }
        let type = json["allowedSignatureType"]
        let variants = type?["variants"]?.strings ?? []
        var ways: [PhoneAnswer.Way] = variants.contains("possession_knowledge") ? [.pin] : []
        if variants.contains("possession_biometry") { ways.append(.biometry) }
        if ways.isEmpty { ways = type?["type"]?.string == "1FA" ? [.possession] : [.pin] }
        return PhoneRequest(
            id: id, platform: platform, kind: "operation", title: form["title"]?.string ?? "",
            message: form["message"]?.string ?? "",
            details: (form["attributes"]?.array ?? []).compactMap(detail), ways: ways)
    }

    /// A line of what is approved: label, and the value as the server formatted it.
    private static func detail(_ attribute: JSONValue) -> ConsoleRecord.Fact? {
        guard let label = attribute["label"]?.string else { return nil }
        let value = ["valueFormatted", "value", "amountFormatted", "note", "amount"].lazy.compactMap {
            attribute[$0]?.string
        }.first
        return value.map { ConsoleRecord.Fact(label, $0) }
    }

    /// Makes an operation that was on a screen the person's own.
    func claim(_ scanned: ScannedOperation) throws -> PhoneReport {
        let device = try synchronisedDevice()
        let operation = try asking { try device.claimOperation(scanned.id) }
        kept?.nearness[scanned.id] = scanned.otp.map { Nearness(otp: $0, isLink: scanned.isLink) }
        kept?.operations.removeAll { $0["id"]?.string == scanned.id }
        kept?.operations.append(operation.json)
        return PhoneReport(
            "operation", operation.id,
            "the operation \(operation.id), \(operation.title), is waiting for an answer.")
    }
}

// Without a network.
extension PowerAuthApp {
    func readOffline(_ text: String) throws -> PhoneReport {
        let device = try device()
        let operation = try asking { try device.offlineOperation(text) }
        kept?.offline[operation.id] = text
        return PhoneReport(
            "offline", operation.id,
            "the operation \(operation.id), \(operation.title), was read from a QR code and is waiting for an answer."
        )
    }

    /// The code that the person reads from the phone; nobody is told of a decline.
    func answerOffline(_ text: String, _ request: PhoneRequest, _ answer: PhoneAnswer) throws -> PhoneReport {
        guard answer.fault == nil || answer.fault == .changedCounter else {
            throw PhoneRefusal.faultUnfit(
                answer.fault,
                "without a network there is nothing but a code, which only “changed-counter” makes wrong")
        }
        let device = try device(for: answer)
        let way = answer.way ?? .pin
        let code = try asking {
            let operation = try device.offlineOperation(text)
            return try answer.verdict == .approve
                ? device.offlineCode(for: operation, with: credential(way, typed: answer.pin)) : nil
        }
        if answer.fault == nil { kept?.offline[request.id] = nil }
        guard let code else {
            return PhoneReport("declined", request.id, "the operation \(request.id) was forgotten.")
        }
        return PhoneReport(
            "approved", request.id, code: code,
            "the code for the operation \(request.id), \(request.title), is \(code).")
    }
}
