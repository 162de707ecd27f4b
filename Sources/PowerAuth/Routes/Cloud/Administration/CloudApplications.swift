import Crypto
import Essentials
import HTTP
package import PlatformKit
import PostQuantum
import SQLite

extension PowerAuth: ConfiguresApps {
    /// `GET /admin/applications`: every application.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"applications": […]}`.
    /// - Errors: 401, 403.
    /// - Source: *assumed* after the detail.
    func listCloudApplications(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        return try database.read { db in
            let objects = try db.all(Application.self).map { try cloudObject($0, request, in: db) }
            return .flat(["applications": .array(objects.map(JSONValue.object))])
        }
    }

    /// `GET /admin/applications/{id}`: an application, with the configuration for its apps.
    ///
    /// - Request: nothing.
    /// - Response: `200` with `id`, `roles`, `appKey`, `appSecret`, `masterServerPublicKey`, `mobileSdkConfig`,
    ///   `serviceBaseUrl`, and beside the vendor's members `mobileSdkConfigV4` for the SDK 2.x.
    /// - Errors: `ERROR_REQUEST` for one that is not there.
    /// - Source: PowerAuth Cloud documentation, administration.
    func showCloudApplication(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        return try database.read { db in
            .flat(
                try cloudObject(
                    requireAnyApplication(request.parameter("application"), in: db), request, in: db))
        }
    }

    /// `POST /admin/applications`: a new application, with a master key pair and a version of its own.
    ///
    /// - Request: `{"id", "roles"?}`; the id has 3 to 255 letters, digits, `_` and `-`.
    /// - Response: as above.
    /// - Errors: `ERROR_REQUEST`, also for an id that is taken.
    /// - Source: PowerAuth Cloud documentation, administration.
    func createCloudApplication(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        let input = try Members(request)
        let id = try input.text("id", 3...255)
        let roles = try input.optionalTexts("roles") ?? []
        if !FixtureRules.isApplicationID(id) {
            try input.refuse("id", "3 to 255 letters, digits, _ and - of ASCII")
        }
        try input.check()
        return try change { turn in
            guard try Application.find(id, in: turn.db) == nil else {
                throw CloudRefusal(.request, "The application “\(id)” exists already.")
            }
            let application = try makeApplication(id, roles: roles.unique, in: turn.db)
            return .flat(try cloudObject(application, request, in: turn.db))
        }
    }

    /// A new application with a master key pair and the version `default`.
    func makeApplication(_ id: String, roles: [String], in db: Connection) throws -> Application {
        let application = Application(
            id: id, roles: roles, masterKey: try services.entropy.privateKey("powerauth.master-key").pem())
        try db.insert(application)
        let source = SuiteKeySource(services.entropy)
        try db.insert(
            ApplicationSuites(
                application: id, masterKey: source.curveKey().pem(), seed65: Base64Bytes(source.seed65()),
                seed87: Base64Bytes(source.seed87())))
        try db.insert(makeVersion("default", of: id))
        return application
    }

    func makeVersion(_ name: String, of application: String) throws -> ApplicationVersion {
        ApplicationVersion(
            application: application, name: name,
            key: try ApplicationKey(random: services.entropy.bytes(16, "powerauth.application-key")).text,
            secret: try ApplicationSecret(random: services.entropy.bytes(16, "powerauth.application-secret"))
                .text)
    }

    func requireAnyApplication(_ id: String, in db: Connection) throws -> Application {
        if let application = try Application.find(id, in: db) { return application }
        throw CloudRefusal(.request, "There is no application “\(id.prefix(60))”.")
    }

    /// `mobileSdkConfig` of a version.
    func mobileSDKConfiguration(
        _ version: ApplicationVersion, of application: Application
    ) throws -> String {
        try MobileSDKConfiguration(
            key: ApplicationKey(version.key), secret: ApplicationSecret(version.secret),
            masterPublicKey: world.masterKey(of: application).publicKey
        ).text
    }

    /// The same for the SDK 2.x, with the keys of every protocol.
    func nextSDKConfiguration(
        _ version: ApplicationVersion, of application: Application, in db: Connection
    ) throws -> String {
        let suites = try ApplicationSuites.find(application.id, in: db)
        return try MobileSDKConfiguration(
            key: ApplicationKey(version.key), secret: ApplicationSecret(version.secret),
            masterPublicKeys: [world.masterKey(of: suites), world.masterKey(of: application)].map(
                \.publicKey),
            lattice: MLDSA.allCases.map { try world.masterKey(of: suites, $0).verificationKey }
        ).text
    }

    /// With `mobileSdkConfig` and that of the SDK 2.x, where the application has a version that apps may use.
    package func appConfigurations() throws -> [AppConfiguration] {
        try database.read { db in
            try db.all(Application.self).compactMap { application in
                let versions = try ApplicationVersion.all(of: application.id, in: db)
                return try versions.first(where: \.isSupported).map { version in
                    AppConfiguration(
                        application: application.id, mount: "enrollment-server",
                        values: [
                            "mobileSdkConfig": try mobileSDKConfiguration(version, of: application),
                            "mobileSdkConfigV4": try nextSDKConfiguration(
                                version, of: application, in: db),
                        ])
                }
            }
        }
    }

    private func cloudObject(
        _ application: Application, _ request: Request, in db: Connection
    ) throws -> [String: JSONValue] {
        let point = try world.masterKey(of: application).publicKey.x962()
        var members: [String: JSONValue] = [
            "id": .string(application.id), "roles": JSONValue(application.roles),
            "masterServerPublicKey": .string(Base64.encode(point)),
            "serviceBaseUrl": .string(request.worldURL + "/enrollment-server"),
        ]
        let versions = try ApplicationVersion.all(of: application.id, in: db)
        if let version = versions.first(where: \.isSupported) ?? versions.first {
            members["appKey"] = .string(version.key)
            members["appSecret"] = .string(version.secret)
            members["mobileSdkConfig"] = .string(try mobileSDKConfiguration(version, of: application))
            members["mobileSdkConfigV4"] = .string(try nextSDKConfiguration(version, of: application, in: db))
        }
        return members
    }
}
