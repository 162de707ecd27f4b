import Essentials
import HTTP
import JOSE
import PlatformKit

extension AuthorizationServer {
    /// The public keys of a client, from its metadata or fetched anew from where they say: keys that are rotated are seen at once.
    ///
    /// Never called inside a transaction: it may wait for another server, five seconds and a mebibyte at most.
    ///
    /// - Throws: ``AssertionFault``.
    func keys(of client: Client) throws -> [JWK] {
        if let jwks = client.metadata.jwks { return try Self.keys(in: jwks) }
        guard let url = client.metadata.jwksURI else { throw AssertionFault.keysMissing }
        return try Self.keys(in: fetched(url))
    }

    private func fetched(_ url: String) throws -> JSONValue {
        do {
            let response = try services.web.get(url, headers: ["Accept": "application/json"])
            guard response.status == .ok else {
                throw AssertionFault.keysUnreachable(url: url, "the answer is \(response.status.code)")
            }
            return try JSONValue(parsing: response.bytes)
        } catch let error as WebCallFailed {
            throw AssertionFault.keysUnreachable(url: url, error.description)
        } catch is DecodingError {
            throw AssertionFault.keysUnreachable(url: url, "the answer is not JSON")
        }
    }

    /// Those of the set that can be used here: unknown kinds of keys are no fault of the others. Source: RFC 7517 §5.
    static func keys(in jwks: JSONValue) throws -> [JWK] {
        guard let entries = jwks["keys"]?.array else {
            throw AssertionFault.keysUnreadable("expected an object with the member keys")
        }
        guard entries.count <= 100 else { throw AssertionFault.keysUnreadable("there are more than 100") }
        var fault: String?
        let keys: [JWK] = entries.compactMap { entry in
            do {
                return try JSONDecoder().decode(JWK.self, from: Data(entry.bytes)).publicHalf
            } catch {
                fault = (error as? DecodingError)?.sentence ?? "\(error)"
                return nil
            }
        }
        guard !keys.isEmpty else {
            throw AssertionFault.keysUnreadable(fault ?? "the set is empty")
        }
        return keys
    }
}
