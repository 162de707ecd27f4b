import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Seconds that a pushed request waits for its browser. Source: RFC 9126 §2.2.
    static let pushedRequestSeconds = 60
    /// Seconds that one which is too old is kept, so that the journal can tell.
    private static let pushedRequestMemorySeconds = 600.0
    /// More are waiting nowhere but in a flood; the oldest give way.
    static let pushedRequestsKept = 1000
    /// Bytes of body.
    private static let pushedRequestLimit = 65_536

    /// `POST /par`: keeps an authorization request, which a browser then brings as `request_uri`.
    ///
    /// - Request: the parameters of an authorization request as a form, and the client's proof as at the token endpoint.
    /// - Response: `201 {"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11…","expires_in":60}`.
    /// - Errors: those of client authentication; `invalid_request`, also for a `request_uri` in the form, and whatever else the
    ///   authorization endpoint would refuse; 413 above 64 KiB.
    /// - Source: RFC 9126 §2.
    func pushRequest(_ request: Request) throws -> Response {
        guard request.body.count <= Self.pushedRequestLimit else {
            throw PushRefusal.tooLarge(bytes: request.body.count, limit: Self.pushedRequestLimit)
        }
        let call = try clientCall(request)
        let parameters = try checkedPush(Form(bytes: Self.withoutCredentials(request.body)), call)
        let text = bytes(32, for: "pushed_request")
        let requestURI = PushedRequest.prefix + Base64URL.encode(text)
        let pushed = PushedRequest(
            digest: PushedRequest.digest(of: requestURI), clientID: call.client.id,
            parameters: parameters,
            expiresAt: call.now + Double(Self.pushedRequestSeconds))
        try world.change { turn in
            let forgotten = call.now - Self.pushedRequestMemorySeconds
            try pushedRequests.delete(where: "expires_at <= \(forgotten)", in: turn.db)
            turn.concern(pushed.subjects)
            try pushedRequests.insert(pushed, in: turn.db)
            try pushedRequests.removeOldest(keeping: Self.pushedRequestsKept, in: turn.db)
        }
        var response = Response.oauth(
            ["request_uri": .string(requestURI), "expires_in": .integer(Self.pushedRequestSeconds)],
            status: .created)
        // RFC 9126 §2.2, its example.
        response.headers["Cache-Control"] = "no-cache, no-store"
        return response
    }

    /// What is kept of a form in which everything is right that the authorization endpoint would refuse before it knows the user: the
    /// parameters of its request object in the place of that. Source: RFC 9126 §2.1, §3; RFC 9449 §10.1.
    private func checkedPush(_ form: Form, _ call: ClientCall) throws -> String {
        do {
            let came = AuthorizationParameters(form)
            let counting = try expanded(came, of: call.client, at: call.request)
            var pairs = counting.form.pairs
            if let key = try proofKey(call.request) {
                if let other = counting["dpop_jkt"], other != key {
                    throw DPoPRefusal(
                        fault: .keyDiffers(of: "request with its dpop_jkt", expected: other, found: key),
                        isAtResource: false)
                }
                pairs = pairs.filter { $0.name != "dpop_jkt" } + [("dpop_jkt", key)]
            }
            let kept = Form.encode(pairs)
            _ = try readAuthorization(AuthorizationParameters(Form(kept)), of: call.client, at: call.request)
            return kept
        } catch let refusal as AuthorizationRefusal {
            throw refusal.fault.isReference ? PushRefusal.reference : .authorization(refusal.fault)
        }
    }

    /// The form as it came, without what proved the client.
    private static func withoutCredentials(_ body: [UInt8]) -> [UInt8] {
        let secrets: Set = ["client_secret", "client_assertion", "client_assertion_type"]
        let pairs = body.split(separator: UInt8(ascii: "&")).filter { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return !secrets.contains(Form.decode(String(decoding: name, as: UTF8.self)))
        }
        return Array(pairs.joined(separator: [UInt8(ascii: "&")]))
    }
}
