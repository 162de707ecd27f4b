import Crypto
import Essentials
import HTTP
import PlatformKit

extension MIRACL {
    /// `GET /rps/v2/clientSettings`: where everything is.
    ///
    /// - Request: the project, by header or query.
    /// - Response: `200` with absolute URLs, and switches for old clients. `seedValue` is new each time.
    /// - Errors: `403 FORBIDDEN` for an unknown project.
    /// - Source: Milagro MFA server; Milagro MFA SDK core, client-js 4 to 6 for what they read.
    func tellClientSettings(_ request: Request) throws -> Response {
        let project = try projects.require(request)
        let rps = request.baseURL + "/rps/v2"
        var members = Self.paths.mapValues { JSONValue.string(rps + $0) }
        members["seedValue"] = .string(Hex.encode(services.entropy.bytes(64, "miracl.seed")))
        members["usePermits"] = .boolean(project.wantsPermits)
        members["appID"] = .string(project.id)
        members["pinLength"] = .integer(project.pinDigits)
        members["requestOTP"] = false
        members["useWebSocket"] = false
        members["setDeviceName"] = false
        members["accessNumberDigits"] = 7
        members["accessNumberUseCheckSum"] = true
        members["cSum"] = 1
        return Response.answer(members)
    }

    private static let paths = [
        "registerURL": "/user", "signatureURL": "/signature", "mpinAuthServerURL": "",
        "pass1URL": "/pass1", "pass2URL": "/pass2", "authenticateURL": "/authenticate",
        "mobileAuthenticateURL": "/authenticate", "codeStatusURL": "/codeStatus",
        "dvsRegURL": "/dvsregister", "accessURL": "/access",
        // The classic client glues `clientSecret?…` on.
        "certivoxURL": "/dta/", "timePermitsURL": "/timePermit", "timePermitsStorageURL": "/permits",
        "setupDoneURL": "/setupDone", "getAccessNumberURL": "/getAccessNumber",
        "accessNumberURL": "/accessNumber",
    ]
}
