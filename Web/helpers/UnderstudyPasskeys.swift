// Passkeys of Understudy @VERSION@ in the place of AuthenticationServices, for debug builds and tests of an app, Swift 6.2 or later.
// understudy helper swift-passkeys > App/Debug/UnderstudyPasskeys.swift
// It needs no other file, so that an app under XCUITest, which is a process of its own, has it too.
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stands in for `ASAuthorizationPlatformPublicKeyCredentialProvider` and its `ASAuthorizationController`, whose dialog of the system no test
/// can press. Members and errors have the names and codes of AuthenticationServices.
struct PasskeyStandIn: Sendable {
    /// As `ASAuthorizationPlatformPublicKeyCredentialRegistration` has it.
    struct Registration: Sendable {
        let credentialID, rawClientDataJSON: Data
        let rawAttestationObject: Data?
    }

    /// As `ASAuthorizationPlatformPublicKeyCredentialAssertion` has it. `userID` is empty where the authenticator names nobody.
    struct Assertion: Sendable {
        let credentialID, rawClientDataJSON, rawAuthenticatorData, signature, userID: Data
    }

    /// Base URL of the world, such as `world.url`, or `http://localhost:8420` for the default one.
    let world: String
    /// The phone whose passkeys these are, such as `ada`.
    let phone: String
    let relyingPartyIdentifier: String
    /// Of the control API, beyond loopback.
    var token: String?
    /// What the client data say; nil for `https://` and the relying party, as on iOS.
    var origin: String?

    /// What `createCredentialRegistrationRequest(challenge:name:userID:)` and a controller come to.
    func registration(
        challenge: Data, name: String, userID: Data, excludedCredentials: [Data] = []
    ) async throws -> Registration {
        let made = try await ask(
            "create",
            [
                "rp": ["id": relyingPartyIdentifier, "name": relyingPartyIdentifier],
                "user": ["id": text(userID), "name": name, "displayName": name],
                "pubKeyCredParams": [["type": "public-key", "alg": -7]],
                "excludeCredentials": descriptors(excludedCredentials), "challenge": text(challenge),
            ])
        return Registration(
            credentialID: bytes(made["rawId"]), rawClientDataJSON: bytes(made["clientDataJSON"]),
            rawAttestationObject: bytes(made["attestationObject"]))
    }

    /// What `createCredentialAssertionRequest(challenge:)` and a controller come to.
    func assertion(challenge: Data, allowedCredentials: [Data] = []) async throws -> Assertion {
        let found = try await ask(
            "get",
            [
                "rpId": relyingPartyIdentifier, "allowCredentials": descriptors(allowedCredentials),
                "challenge": text(challenge),
            ])
        return Assertion(
            credentialID: bytes(found["rawId"]), rawClientDataJSON: bytes(found["clientDataJSON"]),
            rawAuthenticatorData: bytes(found["authenticatorData"]), signature: bytes(found["signature"]),
            userID: bytes(found["userHandle"]))
    }

    /// The members of the answer and of its `response`.
    private func ask(_ call: String, _ options: [String: Any]) async throws -> [String: Any] {
        let origin = encode(origin ?? "https://" + relyingPartyIdentifier)
        let address = "\(world)/_understudy/v1/authenticators/\(encode(phone))/\(call)?origin=\(origin)"
        guard let url = URL(string: address) else { throw error(1004, "\(address) is no address") }
        var request = URLRequest(url: url, timeoutInterval: 3600)
        request.httpMethod = "POST"
        request.httpBody = try JSONSerialization.data(withJSONObject: options)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let members = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard (response as? HTTPURLResponse)?.statusCode == 200, let members else {
            throw refused(members ?? ["detail": String(decoding: data, as: UTF8.self)])
        }
        return members.merging(members["response"] as? [String: Any] ?? [:]) { $1 }
    }

    /// `ASAuthorizationError`: canceled, matchedExcludedCredential, or failed.
    private func refused(_ problem: [String: Any]) -> NSError {
        let title = problem["title"] as? String ?? "no answer of Understudy"
        let codes = ["NotAllowedError": 1001, "InvalidStateError": 1006]
        return error(codes[title] ?? 1004, "\(title): \(problem["detail"] ?? "")")
    }

    private func error(_ code: Int, _ sentence: String) -> NSError {
        NSError(
            domain: "com.apple.AuthenticationServices.AuthorizationError", code: code,
            userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    private func descriptors(_ credentials: [Data]) -> [[String: String]] {
        credentials.map { ["type": "public-key", "id": text($0)] }
    }

    private func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }

    /// base64url without padding
    private func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    private func bytes(_ text: Any?) -> Data {
        let plain = (text as? String ?? "").replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: -plain.count & 3)) ?? Data()
    }
}
