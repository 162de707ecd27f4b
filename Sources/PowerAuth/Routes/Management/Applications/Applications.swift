import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Applications and their versions. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/application/list`: every application.
    ///
    /// - Request: `{}`.
    /// - Response: `applications` of `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0024`.
    func listApplications(_ request: Request) throws -> Response {
        _ = try managementInput(request)
        let all = try database.read { try $0.all(Application.self) }
        return .management([
            "applications": .array(
                all.map { ["applicationId": .string($0.id), "applicationRoles": JSONValue($0.roles)] })
        ])
    }

    /// `POST /rest/v3/application/detail`: one of them with its versions.
    ///
    /// - Request: `{"applicationId"}`.
    /// - Response: `applicationId`, `applicationRoles`, `masterPublicKey`, `versions`, and of server 2.x `supportedAlgorithms`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func showApplication(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        try input.check()
        return try database.read { db in
            .management(try members(of: requireApplication(id, in: db), in: db))
        }
    }

    /// `POST /rest/v3/application/create`: a new one with a version `default`.
    ///
    /// - Request: `{"applicationId", "applicationRoles"?}`.
    /// - Response: `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0024`, `ERR0043` for an id that is taken.
    func createApplication(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId", 3...255)
        let roles = try input.optionalTexts("applicationRoles") ?? []
        if !FixtureRules.isApplicationID(id) {
            try input.refuse("applicationId", "3 to 255 letters, digits, _ and - of ASCII")
        }
        try input.check()
        return try world.change { turn in
            guard try Application.find(id, in: turn.db) == nil else {
                throw ManagementRefusal(.applicationExists, "The application “\(id)” exists already.")
            }
            let application = try makeApplication(id, roles: roles.unique, in: turn.db)
            return .management([
                "applicationId": .string(id), "applicationRoles": JSONValue(application.roles),
            ])
        }
    }

    /// `POST /rest/v3/application/detail/version`: the application of an application key.
    ///
    /// - Request: `{"applicationKey"}`.
    /// - Response: as of the detail.
    /// - Errors: `ERR0015`, `ERR0024`.
    func findApplicationVersion(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let key = try input.text("applicationKey")
        try input.check()
        return try database.read { db in
            guard let version = try ApplicationVersion.find(key, in: db) else {
                throw ManagementRefusal(
                    .applicationUnknown, "No application has the key “\(key.prefix(60))”.")
            }
            return .management(try members(of: requireApplication(version.application, in: db), in: db))
        }
    }

    /// `POST /rest/v3/application/version/create`: one more version.
    ///
    /// - Request: `{"applicationId", "applicationVersionId"}`.
    /// - Response: the version.
    /// - Errors: `ERR0015`, `ERR0024`, `ERR0043`.
    func createApplicationVersion(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let name = try input.text("applicationVersionId")
        try input.check()
        return try world.change { turn in
            let application = try requireApplication(id, in: turn.db)
            guard try !ApplicationVersion.all(of: id, in: turn.db).contains(where: { $0.name == name }) else {
                throw ManagementRefusal(.applicationExists, "The version “\(name)” exists already.")
            }
            let version = try makeVersion(name, of: id)
            try turn.insert(version)
            return .management(try members(of: version, of: application))
        }
    }

    /// `POST /rest/v3/application/version/support`: lets apps of a version in.
    ///
    /// - Request: `{"applicationId", "applicationVersionId"}`.
    /// - Response: `applicationVersionId`, `supported`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func supportApplicationVersion(_ request: Request) throws -> Response {
        try setSupported(true, request)
    }

    /// `POST /rest/v3/application/version/unsupport`: shuts apps of a version out.
    ///
    /// - Request: `{"applicationId", "applicationVersionId"}`.
    /// - Response: `applicationVersionId`, `supported`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func unsupportApplicationVersion(_ request: Request) throws -> Response {
        try setSupported(false, request)
    }

    private func setSupported(_ isSupported: Bool, _ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let name = try input.text("applicationVersionId")
        try input.check()
        return try world.change { turn in
            let versions = try ApplicationVersion.all(
                of: try requireApplication(id, in: turn.db).id, in: turn.db)
            guard var version = versions.first(where: { $0.name == name }) else {
                throw ManagementRefusal(
                    .applicationUnknown, "The application “\(id)” has no version “\(name)”.")
            }
            version.isSupported = isSupported
            try turn.update(version)
            return .management([
                "applicationVersionId": .string(name), "supported": .boolean(isSupported),
            ])
        }
    }

    private func members(of application: Application, in db: Connection) throws -> [String: JSONValue] {
        let versions = try ApplicationVersion.all(of: application.id, in: db)
        return [
            "applicationId": .string(application.id), "applicationRoles": JSONValue(application.roles),
            "masterPublicKey": .string(
                Base64.encode(try world.masterKey(of: application).publicKey.x962())),
            "versions": .array(try versions.map { .object(try members(of: $0, of: application)) }),
            "supportedAlgorithms": JSONValue(
                try ApplicationSuites.find(application.id, in: db).algorithms.map(\.rawValue)),
        ]
    }

    private func members(
        of version: ApplicationVersion, of application: Application
    ) throws -> [String: JSONValue] {
        [
            "applicationVersionId": .string(version.name), "applicationKey": .string(version.key),
            "applicationSecret": .string(version.secret),
            "mobileSdkConfig": .string(try mobileSDKConfiguration(version, of: application)),
            "supported": .boolean(version.isSupported),
        ]
    }
}
