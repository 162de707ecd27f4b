import Crypto
import Essentials
import WebAuthn

extension AuthenticatorBehaviour {
    /// In the order in which they are explained.
    static let names = [
        "attestation", "attestationFault", "algorithms", "aaguid", "userPresent", "userVerified",
        "backupEligible", "backedUp", "counter", "transports", "prf", "largeBlob", "ignoresOrigin",
        "breaksSignature", "clientDataOrigin", "crossOrigin", "topOrigin", "challenge", "type", "rpId",
        "userHandle", "userHandleForm", "neverSettles",
    ]

    /// Turns the switches that `json` names; null puts one back to where `standard` has it, as a new authenticator does.
    ///
    /// - Throws: ``ControlError``.
    mutating func change(_ json: JSONValue, _ standard: AuthenticatorBehaviour) throws {
        guard let members = json.object else {
            throw ControlError.parameter("behaviour", expected: "an object", given: json.text)
        }
        // By name, so that the same request hears the same reason.
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            try set(name, Setting(name: name, value: value), standard)
        }
        try checkFault()
    }

    /// Each kind of attestation has faults of its own.
    private func checkFault() throws {
        guard let attestationFault else { return }
        let known = try attestation.software()?.faults ?? []
        guard !known.contains(attestationFault) else { return }
        let names = known.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        throw ControlError.parameter(
            "behaviour.attestationFault",
            expected: (known.isEmpty ? "null" : "null or one of " + names)
                + " with the attestation “\(attestation.rawValue)”",
            given: "“\(attestationFault.rawValue)”")
    }

    private mutating func set(
        _ name: String, _ setting: Setting, _ standard: AuthenticatorBehaviour
    ) throws {
        switch name {
        case "attestation": attestation = try setting.choice() ?? standard.attestation
        case "attestationFault": attestationFault = try setting.choice()
        case "prf": prf = try setting.choice() ?? standard.prf
        case "largeBlob": largeBlob = try setting.flag() ?? standard.largeBlob
        case "counter": counter = try setting.choice() ?? standard.counter
        case "algorithms": algorithms = try setting.algorithms() ?? standard.algorithms
        case "aaguid": aaguid = try setting.uuid() ?? standard.aaguid
        case "transports": transports = try setting.texts() ?? standard.transports
        case "userPresent": userPresent = try setting.flag() ?? standard.userPresent
        case "userVerified": userVerified = try setting.flag() ?? standard.userVerified
        case "backupEligible": backupEligible = try setting.flag() ?? standard.backupEligible
        case "backedUp": backedUp = try setting.flag() ?? standard.backedUp
        case "ignoresOrigin": ignoresOrigin = try setting.flag() ?? standard.ignoresOrigin
        case "breaksSignature": breaksSignature = try setting.flag() ?? standard.breaksSignature
        case "crossOrigin": crossOrigin = try setting.flag() ?? standard.crossOrigin
        case "clientDataOrigin": clientDataOrigin = try setting.text()
        case "topOrigin": topOrigin = try setting.text()
        case "type": type = try setting.text()
        case "rpId": relyingPartyID = try setting.text()
        case "challenge": challenge = try setting.binary()
        case "userHandle": userHandle = try setting.binary()
        case "userHandleForm": userHandleForm = try setting.choice() ?? standard.userHandleForm
        case "neverSettles": neverSettles = try setting.choice()
        default: throw ControlError.memberUnknown(name, known: Self.names)
        }
    }
}

/// The value that a switch is given; every reading is nil for null.
private struct Setting {
    let name: String
    let value: JSONValue

    private func wrong(_ expected: String) -> ControlError {
        .parameter("behaviour." + name, expected: expected, given: value.text)
    }

    private func read<Value>(_ expected: String, _ read: (JSONValue) -> Value?) throws -> Value? {
        if value.isNull { return nil }
        guard let found = read(value) else { throw wrong(expected) }
        return found
    }

    func flag() throws -> Bool? { try read("true or false", \.boolean) }

    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice? {
        let names = Choice.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        return try read("one of \(names)") { $0.string.flatMap(Choice.init) }
    }

    func text() throws -> String? {
        try read("a text of at most \(AuthenticatorLimit.text) characters") { value in
            value.string.flatMap { $0.unicodeScalars.count <= AuthenticatorLimit.text ? $0 : nil }
        }
    }

    func texts() throws -> [String]? {
        try read("a list of at most 10 texts of at most 40 characters") { value in
            value.strings.flatMap { texts in
                texts.count <= 10 && texts.allSatisfy { $0.unicodeScalars.count <= 40 } ? texts : nil
            }
        }
    }

    func binary() throws -> [UInt8]? {
        try read("base64url of at most \(AuthenticatorLimit.binary) bytes") { value in
            value.string.flatMap { Base64URL.decode($0, allowingPadding: true) }
                .flatMap { $0.count <= AuthenticatorLimit.binary ? $0 : nil }
        }
    }

    func uuid() throws -> String? {
        try read("a UUID, such as “ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4”") { value in
            value.string.flatMap { text in
                text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
                    ? text.lowercased() : nil
            }
        }
    }

    /// Those that a software authenticator can sign with.
    func algorithms() throws -> [COSEAlgorithm]? {
        let all = AuthenticatorBehaviour().algorithms
        let names = all.map { COSEAlgorithm.summary($0.rawValue) }.joined(separator: ", ")
        return try read("a list of at least one of \(names)") { value in
            guard let elements = value.array, !elements.isEmpty, elements.count <= all.count else {
                return nil
            }
            let known = elements.compactMap { $0.integer.flatMap(COSEAlgorithm.init) }.filter(all.contains)
            return known.count == elements.count ? known : nil
        }
    }
}
