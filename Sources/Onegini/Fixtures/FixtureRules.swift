import Crypto
import PlatformKit

// What the loaders demand of single values, so that nothing that is done with them later can overflow or break a page.
extension FixtureRules {
    /// More of anything that is counted one by one.
    static let counts = 0...1_000_000
    /// From a second to thirty years.
    static let seconds = 1...1_000_000_000

    /// A text that stands in paths, queries and quoted JSON as it is.
    private static func requireName(_ text: String, at path: [String]) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-._".utf8.contains(byte)
        }
        guard isPlain, 1...200 ~= text.utf8.count else {
            throw FixtureProblem(
                at: path,
                "expected 1 to 200 letters, digits, - . and _ of ASCII, found “\(text.prefix(60))”")
        }
    }

    /// A URL that is sent in a header field as it is. Source: RFC 3986 §2.
    static func requireURL(_ text: String, at path: [String]) throws {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw FixtureProblem(
                at: path,
                "expected a URL without white space and characters beyond ASCII, found “\(text.prefix(60))”"
            )
        }
    }

    private static func requireSame(_ text: String, as place: String, at path: [String]) throws {
        guard text == place else {
            throw FixtureProblem(at: path, "expected “\(place)”, where the entry stands, or nothing")
        }
    }
}

// MARK: - Applications

extension FixtureRules {
    mutating func check(_ application: ApplicationSettings, at path: [String]) throws {
        try add(application.identifier, to: "application", at: path + ["identifier"])
        try Self.require(
            PINPolicy.lengths, application.pinPolicy.length, at: path + ["pin_policy", "pin_length"])
        guard application.maxPINAttempts >= 0 else {
            throw FixtureProblem(
                at: path + ["max_pin_attempts"],
                "expected 0 for no limit, or more, found \(application.maxPINAttempts)")
        }
        for (name, seconds) in [
            ("authorization_code_lifetime", application.authorizationCodeLifetime),
            ("access_token_lifetime", application.accessTokenLifetime),
            ("refresh_token_lifetime", application.refreshTokenLifetime),
            ("refresh_token_max_lifetime", application.refreshTokenMaxLifetime),
            ("registration_validity", application.registrationValidity ?? 1),
        ] { try Self.require(Self.seconds, seconds, at: path + [name]) }
        for (index, target) in application.singleSignOnTargets.enumerated() {
            try Self.requireURL(target, at: path + ["single_sign_on_targets", String(index)])
        }
        for (index, version) in application.versions.enumerated() {
            try add(
                "\(version.name) on \(version.platform.rawValue)", to: "version of " + application.identifier,
                at: path + ["versions", String(index), "version_name"])
        }
    }
}

// MARK: - Devices

extension FixtureRules {
    mutating func check(_ profile: Profile, on device: Device, at path: [String]) throws {
        try Self.requireSame(profile.clientID, as: device.clientID, at: path + ["client_id"])
        guard Profile.isWellFormed(profile.id) else {
            throw FixtureProblem(
                at: path + ["profile_id"], "expected 6 of A-Z and 0-9, found “\(profile.id)”")
        }
        try add(profile.id, to: "profile on " + device.clientID, at: path + ["profile_id"])
        try Self.require(Self.counts, profile.failures, at: path + ["failures"])
        for (name, hex) in [("pin_salt", profile.pinSalt), ("pin_digest", profile.pinDigest)] {
            guard let hex, Hex.decode(hex) == nil else { continue }
            throw FixtureProblem(
                at: path + [name], "expected pairs of hexadecimal digits, found “\(hex)”")
        }
    }

    static func check(_ enrollment: Enrollment, of profile: Profile, at path: [String]) throws {
        try requireSame(enrollment.clientID, as: profile.clientID, at: path + ["client_id"])
        try requireSame(enrollment.profileID, as: profile.id, at: path + ["profile_id"])
        try requireSame(enrollment.subject, as: profile.subject, at: path + ["sub"])
        do {
            // A certificate that expires later was good when it was enrolled.
            _ = try enrollment.deviceCertificate(at: enrollment.enrolledAt)
        } catch {
            throw FixtureProblem(
                at: path + ["certificate"], "expected an OpenPGP certificate or a JWK: \(error.explanation)")
        }
        try check(enrollment.serverKey, at: path + ["server_key"])
    }

    /// Of an enrollment that has its own.
    private static func check(_ key: ServerKey?, at path: [String]) throws {
        do {
            try key?.check()
        } catch let problem as FixtureProblem {
            throw FixtureProblem(at: path + problem.path, problem.reason)
        }
    }

    mutating func check(_ pending: PendingEnrollment, of profile: Profile, at path: [String]) throws {
        try add(pending.id, to: "enrollment", at: path + ["id"])
        try Self.requireSame(pending.clientID, as: profile.clientID, at: path + ["client_id"])
        try Self.requireSame(pending.profileID, as: profile.id, at: path + ["profile_id"])
        try Self.check(pending.serverKey, at: path + ["server_key"])
    }
}

// MARK: - Mobile authentication

extension FixtureRules {
    /// Refuses what no start of a mobile authentication makes.
    mutating func check(_ transaction: MobileTransaction, at path: [String]) throws {
        try add(transaction.id, to: "transaction", at: path + ["id"])
        try Self.requireName(transaction.id, at: path + ["id"])
        if let otp = transaction.otp { try Self.requireName(otp, at: path + ["otp"]) }
        try Self.requireName(transaction.pageKey, at: path + ["page_key"])
        try Self.require(Self.counts, transaction.attempts, at: path + ["attempts"])
        try Self.require(Self.counts, transaction.resends, at: path + ["resends"])
        let uri = transaction.callbackURI
        if !uri.isEmpty, let fault = CallbackAddress.fault(of: uri) {
            throw FixtureProblem(at: path + ["callback_uri"], "“\(uri.prefix(60))” \(fault)")
        }
        guard transaction.stored != .expired else {
            throw FixtureProblem(
                at: path + ["state"], "expected a state that does not follow from expires_at")
        }
    }
}
