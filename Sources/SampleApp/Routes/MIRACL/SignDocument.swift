import Crypto
import Essentials
import HTTP
import PlatformKit

extension SampleApp {
    /// `POST /login/CreateDocumentHash` and `/document`: what an app signs in the place of a document.
    ///
    /// - Request: `document`, in a form, in the query, or as a member of a JSON object.
    /// - Response: `200 {"hash", "timestamp", "authToken"}`: SHA-256 in hexadecimal, seconds since 1970, and what proves to us later that
    ///   both are ours.
    /// - Errors: `400` without a document.
    /// - Source: MIRACL's sample for .NET, and its library for the token.
    func hashDocument(_ request: Request) throws -> Response {
        let document = try documentInput(request)("document")
        guard let document else {
            throw MIRACLLoginError.memberMissing(
                "document", in: "document, a text, in a form, in the query, or as a member of a JSON object")
        }
        let settings = try self.settings(MIRACLSettings.kept, else: MIRACLSettings())
        let hash = Hex.encode(Digest.sha256(Array(document.utf8)))
        let timestamp = services.clock.now().unixSeconds
        return answer([
            "hash": .string(hash), "timestamp": .integer(timestamp),
            "authToken": .string(Self.authToken(hash, settings)),
        ])
    }

    /// `POST /login/VerifySignature` and `/verify-signature`: the app brings the signature.
    ///
    /// - Request: `verificationData`, the signature's JSON, and `documentData`, what ``hashDocument(_:)`` answered: both in a form, or as
    ///   members of a JSON object, as texts or objects. Or the signature's JSON alone, with its `timestamp`. Timestamps may be texts.
    /// - Response: `200 {"verified", "status"}`; the status is `ValidSignature`, `InvalidSignature`, `UserBlocked` or `Unknown`.
    /// - Errors: `400` for what cannot be read, or for a hash that is not ours; `502` when MIRACL cannot be used.
    /// - Source: MIRACL's sample for .NET. *Assumed*: the words of the status.
    func verifySignature(_ request: Request) throws -> Response {
        let settings = try self.settings(MIRACLSettings.kept, else: MIRACLSettings())
        let (signature, document) = try signatureInput(request, settings)
        guard let hash = document["hash"]?.string else {
            throw MIRACLLoginError.memberMissing("hash", in: Self.signatureShape)
        }
        guard let timestamp = document["timestamp"].flatMap({ $0.integer ?? $0.string.flatMap { Int($0) } })
        else { throw MIRACLLoginError.memberMissing("timestamp", in: Self.signatureShape) }
        guard signature["hash"]?.string == hash else {
            return verdict("InvalidSignature", isRight: false)
        }
        let status = try provider(settings, request).verify(
            signature, hash: hash, timestamp: timestamp, at: services.clock.now())
        switch status.code {
        case 200: return verdict("ValidSignature", isRight: true)
        case 401: return verdict("InvalidSignature", isRight: false)
        case 410: return verdict("UserBlocked", isRight: false)
        default: return verdict("Unknown", isRight: false)
        }
    }

    private static let signatureShape =
        "{\"verificationData\": {\"hash\", \"mpinId\", \"u\", \"v\", \"publicKey\", \"dtas\"}, \"documentData\": {\"hash\", "
        + "“timestamp”, “authToken”}}, in a form or as JSON, or the signature with its timestamp alone"

    /// The signature, and the document that it is of: what came from here, or what the signature itself says.
    private func signatureInput(
        _ request: Request, _ settings: MIRACLSettings
    ) throws -> (signature: JSONValue, document: JSONValue) {
        let input = try documentInput(request)
        if input("verificationData") == nil, input("mpinId") ?? input("mpinid") != nil {
            let signature = try object(String(decoding: request.body, as: UTF8.self), "signature")
            return (signature, signature)
        }
        let signature = try object(input("verificationData"), "verificationData")
        let document = try object(input("documentData"), "documentData")
        guard let hash = document["hash"]?.string else {
            throw MIRACLLoginError.memberMissing("hash", in: Self.signatureShape)
        }
        guard let token = document["authToken"]?.string,
            constantTimeEqual(Array(token.utf8), Array(Self.authToken(hash, settings).utf8))
        else {
            throw MIRACLLoginError.documentForeign(
                "The authToken of documentData does not belong to its hash: it was not issued here.")
        }
        return (signature, document)
    }

    private func verdict(_ word: String, isRight: Bool) -> Response {
        answer(["verified": .boolean(isRight), "status": .string(word)])
    }

    /// Base64 of the client's id and of an HMAC over the hash's text. Source: the vendor's libraries for Go and .NET.
    private static func authToken(_ hash: String, _ settings: MIRACLSettings) -> String {
        let mac = Hex.encode(
            Digest.sha256.authenticationCode(of: Array(hash.utf8), key: Array(settings.clientSecret.utf8)))
        return Base64.encode(Array("\(settings.clientID):\(mac)".utf8))
    }

    /// Reads a member wherever it stands: in the query, in a form, or in a JSON object, there also as an object of its own.
    private func documentInput(_ request: Request) throws -> (String) -> String? {
        let (query, form) = (request.queryItems, request.form)
        var json: JSONValue?
        if request.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            do {
                json = try JSONValue(parsing: request.body)
            } catch let error as DecodingError {
                throw MIRACLLoginError.requestMalformed("The body is not JSON: \(error.sentence).")
            }
        }
        return { name in
            let member = json?[name].flatMap { $0.isNull ? nil : $0 }
            let text = member.map { $0.string ?? $0.text } ?? form[name] ?? query[name]
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    private func object(_ text: String?, _ name: String) throws -> JSONValue {
        guard let text else { throw MIRACLLoginError.memberMissing(name, in: Self.signatureShape) }
        // Why it is no JSON does not matter; the sentence says what was expected.
        guard let value = try? JSONValue(parsing: Array(text.utf8)), value.object != nil else {
            throw MIRACLLoginError.requestMalformed(
                "The member “\(name)” is not a JSON object. Expected \(Self.signatureShape).")
        }
        return value
    }
}
