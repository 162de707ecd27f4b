import PlatformKit
import WebAuthn

// What pages may call, from whom mails come, and where passkeys are at home.

extension Configuration {
    static func origins(_ config: ConfigurationFixture) throws -> [String] {
        let cors = config.cors ?? config.server?.public?.cors
        let origins = cors?.allowedOrigins ?? ["http://localhost:8888"]
        let place = config.cors == nil ? ["server", "public", "cors"] : ["cors"]
        guard !origins.contains("*") || cors?.allowsUnsafeWildcard == true else {
            throw FixtureProblem(
                at: ["config"] + place + ["allow_origins"],
                "\"*\" lets every web page call with the user's cookies; "
                    + "say so with \"unsafe_wildcard_origin_allowed\": true, or list the origins")
        }
        return origins
    }

    /// From whom mails come; `Hanko <noreply@hanko.io>` where nothing is said.
    static func sender(_ config: ConfigurationFixture) throws -> Message.Address {
        let (own, general) = (config.emailDelivery, config.defaultEmailDelivery)
        func member(_ path: KeyPath<ConfigurationFixture.EmailDelivery, String?>, _ name: String) throws
            -> String?
        {
            for (section, delivery) in [("email_delivery", own), ("default_email_delivery", general)] {
                guard let text = delivery?[keyPath: path], !text.isEmpty else { continue }
                // RFC 5322 §3.2: what would end a field of the mail.
                guard text.utf8.count <= 320,
                    text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
                else {
                    throw FixtureProblem(
                        at: ["config", section, name],
                        "expected at most 320 bytes without control characters")
                }
                return text
            }
            return nil
        }
        let address = try member(\.fromAddress, "from_address") ?? "noreply@hanko.io"
        guard MailAddress.isValid(address) || address.hasSuffix("@localhost") else {
            throw FixtureProblem(
                at: [
                    "config", own?.fromAddress == nil ? "default_email_delivery" : "email_delivery",
                    "from_address",
                ],
                "expected a mail address, found \"\(address)\"")
        }
        return Message.Address(address, name: try member(\.fromName, "from_name") ?? "Hanko")
    }
}

extension Configuration.RelyingPartyRules {
    init(
        _ config: ConfigurationFixture.WebAuthn?, _ service: ConfigurationFixture.Service?,
        _ settings: HankoSettings
    ) throws {
        let association = settings.association ?? AssociationFixture()
        let path = ["config", "webauthn"]
        let id = config?.relyingParty?.id ?? "localhost"
        guard !id.isEmpty, !id.contains("/"), !id.contains(":") else {
            throw FixtureProblem(
                at: path + ["relying_party", "id"],
                "expected a host name such as \"example.com\", without scheme and port, found \"\(id)\"")
        }
        let name = config?.relyingParty?.displayName ?? service?.name
        self.init(
            id: id, displayName: name ?? "Hanko Authentication Service",
            origins: try Self.origins(config?.relyingParty?.origins, association),
            relatedOrigins: association.relatedOrigins ?? [],
            allowsAnyLocalhost: settings.anyLocalhostOrigin ?? false,
            isStrict: settings.strictWebAuthn ?? false,
            registrationTimeout: try Self.timeout(config?.timeouts?.registration, "registration"),
            loginTimeout: try Self.timeout(config?.timeouts?.login, "login"))
    }

    /// Those of the configuration, and those of the Android apps that the domain knows.
    private static func origins(_ configured: [String]?, _ association: AssociationFixture) throws -> [String]
    {
        let own = try configured?.enumerated().map { try origin($1, at: $0) } ?? ["http://localhost:8888"]
        let apps = (association.android ?? []).flatMap(\.fingerprints)
            .compactMap { AndroidOrigin.origin(fingerprint: $0) }
        return apps.reduce(into: own) { origins, app in
            if !origins.contains(app) { origins.append(app) }
        }
    }

    /// An origin as it is, or that of an app whose certificate `keytool` tells the fingerprint of.
    private static func origin(_ text: String, at index: Int) throws -> String {
        let mark = "SHA256:"
        let bare = (text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text).trimmed
        if let origin = AndroidOrigin.origin(fingerprint: bare) { return origin }
        guard bare.filter({ $0 != ":" }).wholeMatch(of: /[0-9A-Fa-f]{32,}/) == nil else {
            throw FixtureProblem(
                at: ["config", "webauthn", "relying_party", "origins", String(index)],
                "expected a SHA-256 fingerprint, 32 bytes; the one of SHA-1 has 20")
        }
        return text
    }

    /// Milliseconds, at most a day; nil where nothing is said.
    private static func timeout(_ milliseconds: Int?, _ name: String) throws -> Int? {
        try milliseconds.map {
            try atLeastOne(
                $0, or: 1, at: ["config", "webauthn", "timeouts", name], atMost: 86_400_000)
        }
    }
}
