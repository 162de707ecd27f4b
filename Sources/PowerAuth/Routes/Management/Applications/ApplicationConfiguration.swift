import Essentials
import HTTP
import PlatformKit
import SQLite

/// Configuration of an application by keys. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// The one key that changes what this server does.
    private static let providersKey = "oauth2_providers"
    private static let configurationKeys = [
        "fido2_attestation_fmt_allowed", "fido2_aaguids_allowed", "fido2_root_ca_certs", providersKey,
    ]

    /// `POST /rest/v3/application/config/detail`: every key that is set.
    ///
    /// - Request: `{"applicationId"}`.
    /// - Response: `applicationId`, `applicationConfigs` of `key`, `values`. Addresses of `oauth2_providers` that are paths here are told
    ///   as the caller reaches this world.
    /// - Errors: `ERR0015`, `ERR0024`.
    func showApplicationConfiguration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        try input.check()
        return try database.read { db in
            let application = try requireApplication(id, in: db)
            var values = try Configuration.all(.settings, of: id, in: db)
            let providers = try application.providers.list().map { $0.seen(by: request) }
            if !providers.isEmpty {
                let told = try OpenIDProviders(providers).json
                values[Self.providersKey] = try JSONValue(parsing: Array(told.utf8))
            }
            let configs = values.sorted { $0.key < $1.key }.map { entry -> JSONValue in
                ["key": .string(entry.key), "values": entry.value]
            }
            return .management(["applicationId": .string(id), "applicationConfigs": .array(configs)])
        }
    }

    /// `POST /rest/v3/application/config/create`: sets the values of a key.
    ///
    /// - Request: `{"applicationId", "key", "values"}`; `oauth2_providers` takes effect, other keys are kept for the detail.
    /// - Response: the same.
    /// - Errors: `ERR0015`, `ERR0024`.
    func setApplicationConfiguration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let key = try configurationKey(input)
        let values = input["values"]?.array
        if values == nil { try input.refuse("values", "a list") }
        var providers: [OpenIDProvider] = []
        if key == Self.providersKey, let values {
            do {
                providers = try JSONDecoder().decode(
                    [OpenIDProvider].self, from: Data(JSONValue.array(values).bytes))
            } catch let error as DecodingError {
                try input.refuse("values", "providers of OpenID Connect: \(error.sentence)")
            }
        }
        try input.check()
        let (new, list) = (providers, values ?? [])
        try world.change { turn in
            var application = try requireApplication(id, in: turn.db)
            if key == Self.providersKey {
                application.providers = try OpenIDProviders(new)
                try turn.update(application)
            } else {
                try turn.save(Configuration(application: id, kind: .settings, name: key, value: .array(list)))
            }
        }
        return .management(["applicationId": .string(id), "key": .string(key), "values": .array(list)])
    }

    /// `POST /rest/v3/application/config/remove`: forgets a key.
    ///
    /// - Request: `{"applicationId", "key"}`.
    /// - Response: none.
    /// - Errors: `ERR0015`, `ERR0024`.
    func removeApplicationConfiguration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let key = try configurationKey(input)
        try input.check()
        try world.change { turn in
            var application = try requireApplication(id, in: turn.db)
            if key == Self.providersKey {
                application.providers = OpenIDProviders()
                try turn.update(application)
            } else {
                try turn.db.delete(
                    Configuration.self,
                    where:
                        "application = \(id) AND kind = \(Configuration.Kind.settings.rawValue) AND name = \(key)"
                )
            }
        }
        return .powerAuth()
    }

    private func configurationKey(_ input: Members) throws -> String {
        let key = try input.text("key")
        if !Self.configurationKeys.contains(key) {
            try input.refuse("key", "one of " + Self.configurationKeys.joined(separator: ", "))
        }
        return key
    }
}
