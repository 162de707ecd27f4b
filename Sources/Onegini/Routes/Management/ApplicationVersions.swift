import Essentials
import HTTP
import PlatformKit
import SQLite

// Versions of mobile apps, as the config API manages them.
extension Onegini {
    static let versionsPath = "/v1/configuration/applications/:appId/platforms/:platform/versions"

    /// `GET …/versions`: the versions of an app on a platform.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; query `page`, counted from 0.
    /// - Response: `200 {"result":[{mobile_app_id, platform, version_name, status, integrity_check, …}]}`, never with signatures.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, application version API.
    func listApplicationVersions(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let app = try database.read { try $0.findApplication(request) }
        let listed = app.versions.filter { $0.platform.rawValue == request.parameter("platform") }
        return try .page(
            of: listed.map { ApplicationVersionSettings.json(of: $0, application: app.identifier) }, request)
    }

    /// `POST …/versions`: makes a version.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with `version_name`, `status`,
    ///   `application_signatures`, and what else the vendor lists.
    /// - Response: 201 without a body, `Location` with a slash at its end.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`; 409 `conflict`.
    /// - Source: Token Server documentation, application version API.
    func createApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let input = try Members.management(request)
        let name = try input.text("version_name")
        try world.change { turn in
            let (application, platform) = try turn.db.findPlatform(request)
            var version = ApplicationVersion(platform, name)
            try ApplicationVersionSettings.apply(input, to: &version, isNew: true)
            try input.check()
            try add(version, to: application, turn)
        }
        return .managementCreated(at: request.place(of: name, slash: "/"))
    }

    /// `GET …/versions/{versionName}/`: one version; the slash at the end is needed.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: `200 {mobile_app_id, platform, version_name, status, integrity_check, …}`, never with signatures.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, application version API.
    func showApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let (application, version) = try database.read { try $0.findVersion(request) }
        return .management(
            ApplicationVersionSettings.json(of: version, application: application.identifier))
    }

    /// `PATCH …/versions/{versionName}/`: changes the members that are named; the slash at the end is needed.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON as for making one.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, application version API.
    func updateApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let input = try Members.management(request)
        try world.change { turn in
            var (application, version) = try turn.db.findVersion(request)
            try ApplicationVersionSettings.apply(input, to: &version, isNew: false)
            try input.check()
            application.versions = application.versions.map { $0.isSame(as: version) ? version : $0 }
            try turn.save(KeptApplication(application))
        }
        return .managementDone
    }

    /// `DELETE …/versions/{versionName}/`: takes a version away; its devices are refused from then on.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: ours; the vendor documents no removal of versions.
    func removeApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        try world.change { turn in
            var (application, version) = try turn.db.findVersion(request)
            application.versions.removeAll { $0.isSame(as: version) }
            try turn.save(KeptApplication(application))
        }
        return .managementDone
    }

    /// `POST …/versions/{versionName}/clone`: makes a version with the settings of another.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with `version_name`, and `status` and
    ///   `application_signatures` where they shall differ.
    /// - Response: 201 without a body, `Location` with a slash at its end.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`; 409 `conflict`.
    /// - Source: Token Server documentation, application version API.
    func cloneApplicationVersion(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let input = try Members.management(request)
        let name = try input.text("version_name")
        try world.change { turn in
            var (application, version) = try turn.db.findVersion(request)
            version.name = name
            try ApplicationVersionSettings.apply(input, to: &version, isNew: false)
            try input.check()
            try add(version, to: application, turn)
        }
        let versions = request.target.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return .managementCreated(
            at: Request(.post, versions.joined(separator: "/")).place(of: name, slash: "/"))
    }

    private func add(
        _ version: ApplicationVersion, to application: ApplicationSettings, _ turn: Turn
    ) throws {
        if application.versions.contains(where: { $0.isSame(as: version) }) {
            throw AdministrationRefusal.conflict(
                message: "An application version with the same appId, platform, and version already exists.",
                id: version.name,
                with: "a version of \(application.identifier) on \(version.platform.rawValue)")
        }
        var application = application
        application.versions.append(version)
        try turn.save(KeptApplication(application))
    }
}

extension Connection {
    /// The version that a path names.
    ///
    /// - Throws: ``AdministrationRefusal``.
    func findVersion(_ request: Request) throws -> (ApplicationSettings, ApplicationVersion) {
        let (application, platform) = try findPlatform(request)
        let name = request.parameter("versionName")
        if let version = application.version(name, on: platform.rawValue) { return (application, version) }
        throw AdministrationRefusal.notFound(
            what: "Mobile App, Platform, or Version", id: name, known: application.versions.map(\.name))
    }

    fileprivate func findPlatform(
        _ request: Request
    ) throws -> (ApplicationSettings, ApplicationVersion.Platform) {
        let application = try findApplication(request)
        // ``findApplication`` refuses a platform that is none.
        return (application, ApplicationVersion.Platform(rawValue: request.parameter("platform")) ?? .ios)
    }

    fileprivate func findApplication(_ request: Request) throws -> ApplicationSettings {
        let (id, platform) = (request.parameter("appId"), request.parameter("platform"))
        let platforms = ApplicationVersion.Platform.allCases.map(\.rawValue)
        guard platforms.contains(platform) else {
            throw AdministrationRefusal.notFound(
                what: "Mobile App, Platform, or Version", id: platform, known: platforms)
        }
        if let application = try application(id) { return application }
        let known = try applications().map(\.identifier)
        throw AdministrationRefusal.notFound(what: "Mobile App, Platform, or Version", id: id, known: known)
    }
}

extension ApplicationVersion {
    fileprivate func isSame(as other: ApplicationVersion) -> Bool {
        name == other.name && platform == other.platform
    }
}
