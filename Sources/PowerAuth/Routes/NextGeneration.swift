import HTTP
import PlatformKit

/// What of protocol 4.0, the default of the SDK 2.x, and of version 4 of the management API is not here: each path says so.
extension PowerAuth {
    static let nextMobileRoutes: [Route<PowerAuth>] =
        [.post("/pa/v4", PowerAuth.refuseNextProtocol), .get("/pa/v4", PowerAuth.refuseNextProtocol)]
        + [Request.Method.get, .post, .put, .delete].map { method in
            Route(method, "/pa/v4/*rest", PowerAuth.refuseNextProtocol)
        }

    static let nextManagementRoutes: [Route<PowerAuth>] =
        [Request.Method.get, .post].map { method in
            Route(method, "/rest/v4/*rest", PowerAuth.refuseNextManagement)
        }

    /// Any method at what is left of `/pa/v4/…`: paths that nobody has.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: API list of the vendor's RESTful integration 2.x.
    private func refuseNextProtocol(_ request: Request) throws -> Response {
        throw NextGenerationRefused(
            "Version 4.0 of the mobile protocol has no path \(request.path) that is known; it is not emulated."
        )
    }

    /// Any method at what is left of `/rest/v4/…`: the extractor of keys, the upgrade, and paths that nobody has.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: published behaviour of the PowerAuth Server 2.x.
    private func refuseNextManagement(_ request: Request) throws -> Response {
        throw NextGenerationRefused(
            "What is at \(request.path) in version 4 of the management API is not emulated: the extractor of keys and the upgrade are not "
                + "here, nor paths that are not known. Devices can call the enrollment server here for them."
        )
    }
}

/// What only the next generation of the platform has.
private struct NextGenerationRefused: PowerAuthRefusal {
    let explanation: String

    init(_ explanation: String) { self.explanation = explanation }

    var wire: WireError { WireError(.notImplemented, "ERROR_GENERIC", explanation) }
}
