import Crypto
package import DeviceKit
import Essentials

extension Device {
    /// The name of the token that the kit for operations makes for itself.
    package static let universalToken = "possession_universal"

    /// `token/create`: makes a token and keeps it under the name, which the server does not learn.
    @discardableResult
    package func createToken(_ name: String, with credential: Credential = .possession) throws -> Token {
        let answer = try JSONValue(
            parsing: encryptedCall(
                root + "token/create", nothing, .token,
                signing: .transmitted(uriID: "/pa/token/create", credential)))
        let token = Token(
            id: try answer.text("tokenId"),
            secret: try Wire.bytes(
                answer["tokenSecret"]?.string, "tokenSecret", count: isOfFourth ? 32 : 16))
        tokens[name] = token
        return token
    }

    /// `token/remove`, and forgets it.
    package func removeToken(_ name: String, with credential: Credential = .possession) throws {
        let id = try token(name).id
        let response = try signedCall(
            root + "token/remove", ["tokenId": .string(id)], uriID: "/pa/token/remove", with: credential)
        guard response["responseObject"]?["tokenId"]?.string == id else {
            throw DeviceError("the server removed another token: \(response.text)")
        }
        tokens[name] = nil
    }

    /// The value of `X-PowerAuth-Token`, another one each time.
    package func tokenHeader(_ name: String) throws -> String {
        let (token, nonce) = (try token(name), draw(16))
        let timestamp = String(now + faults.timeShift)
        let digest =
            isOfFourth
            ? try Protocol4.tokenDigest(token.secret, nonce: nonce, timestamp: timestamp)
            : Self.tokenDigest(token.secret, nonce: nonce, timestamp: timestamp, version)
        return header([
            ("version", spokenVersion), ("token_id", token.id), ("token_digest", Base64.encode(digest)),
            ("nonce", Base64.encode(nonce)), ("timestamp", timestamp),
        ])
    }

    /// A request of the app to any back end with a token; the answer is not looked at.
    package func tokenRequest(
        _ path: String, body: [UInt8] = [], token name: String
    ) throws -> DeviceResponse {
        try send(DeviceRequest(path, headers: [("X-PowerAuth-Token", tokenHeader(name))], body: body))
    }

    static func tokenDigest(
        _ secret: [UInt8], nonce: [UInt8], timestamp: String, _ version: Version
    ) -> [UInt8] {
        let tail = version >= .v32 ? "&" + version.rawValue : ""
        return Digest.sha256.authenticationCode(
            of: nonce + Array(("&" + timestamp + tail).utf8), key: secret)
    }

    private func token(_ name: String) throws -> Token {
        guard let token = tokens[name] else { throw DeviceError("there is no token “\(name)”") }
        return token
    }
}
