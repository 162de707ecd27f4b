import HTTP
import PlatformKit

extension MIRACL {
    /// `GET /rps/v2/signature/{mpinId}`: the first share, and where the second one is.
    ///
    /// - Request: query `regOTT`, and `publicKey` of 256 hexadecimal digits from a client with a key pair.
    /// - Response: `200 {"clientSecretShare", "cs2url", "curve": "BN254CX", "dtas", "params"}`; with a key pair
    ///   `dvsClientSecretShare` in the place of the first. May be repeated until the first good proof.
    /// - Errors: `401` before the user has confirmed or with a wrong `regOTT`; `404 REGISTRATION_EXPIRED`; `400` for a key that is
    ///   none.
    /// - Source: Milagro MFA SDK core; client-js 4 to 7; trust-sdk-ios.
    func giveFirstShare(_ request: Request) throws -> Response {
        let key = try Shares.publicKey(request.queryItems["publicKey"])
        return .answer(
            try shares.issue(
                request.parameter("id").lowercased(), regOTT: request.queryItems["regOTT"] ?? "", key, request
            ))
    }
}
