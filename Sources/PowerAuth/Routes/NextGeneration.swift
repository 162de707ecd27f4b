import HTTP
import PlatformKit

/// Protocol 4.0, the default of the SDK 2.x, and version 4 of the management API below it: each path says that it is not here.
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

    /// Any method at `/pa/v4/…`: the mobile protocol 4.0.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: release notes of the SDK 2.x, whose algorithm `LEGACY_P256` speaks 3.3.
    private func refuseNextProtocol(_ request: Request) throws -> Response {
        throw NextGenerationRefused(
            "Version 4.0 of the mobile protocol is not emulated. An SDK 2.x that is configured with the algorithm LEGACY_P256 "
                + "speaks 3.3, which is.")
    }

    /// Any method at `/rest/v4/…`: version 4 of the management API.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: published behaviour of the PowerAuth Server 2.x.
    private func refuseNextManagement(_ request: Request) throws -> Response {
        throw NextGenerationRefused(
            "Version 4 of the management API is not emulated. Call the same path below /rest/v3, and let apps with an SDK 2.x use the "
                + "algorithm LEGACY_P256.")
    }
}

/// What only the next generation of the platform has.
private struct NextGenerationRefused: PowerAuthRefusal {
    let explanation: String

    init(_ explanation: String) { self.explanation = explanation }

    var wire: WireError { WireError(.notImplemented, "ERROR_GENERIC", explanation) }
}
