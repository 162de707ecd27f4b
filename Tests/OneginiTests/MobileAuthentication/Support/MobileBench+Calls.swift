import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit

@testable import Onegini

// What a portal and a device do.
extension MobileBench {
    /// A form from the portal; values are sent as they are, so keep them plain.
    func portal(
        _ path: String, _ form: [(String, String)], headers: Headers = MobileBench.portal
    ) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded;charset=UTF-8"
        let body = form.map { "\($0)=\($1.replacing("%", with: "%25").replacing("+", with: "%2B"))" }
        return bench.send(
            .post, "/oauth/api" + path, body: Array(body.joined(separator: "&").utf8), headers: headers)
    }

    func start(_ form: [(String, String)]) -> Response { portal("/v4/authenticate/user", form) }

    /// A start that is in order, as a value to change one thing in.
    static func otpForm(_ type: String = "qr-code") -> [(String, String)] {
        [("type", type), ("message", "Log in?"), ("callback_uri", callbackURI)]
    }

    static func pushForm(_ type: String = "push") -> [(String, String)] {
        [
            ("type", type), ("user_id", "ada"), ("device_id", adaDevice), ("message", "Pay?"),
            ("callback_uri", callbackURI),
        ]
    }

    static let smsForm = [
        ("type", "sms"), ("user_id", "ada"), ("phone_number", "+31612345678"), ("message", "Code {code}!"),
    ]

    func startedOTP(_ more: [(String, String)] = []) throws -> (id: String, otp: String) {
        let fields = start(Self.otpForm() + more).fields
        return (try fields["transaction_id"] ?? Missing.raise(), try fields["otp"] ?? Missing.raise())
    }

    func startedPush(_ type: String = "push", _ more: [(String, String)] = []) throws -> String {
        try start(Self.pushForm(type) + more).fields["transaction_id"] ?? Missing.raise()
    }

    func result(of id: String) -> Response {
        bench.get("/oauth/api/v4/authenticate/transaction/\(id)", headers: Self.portal)
    }

    static func bearer(_ token: String) -> Headers { ["Authorization": "Bearer \(token)"] }

    func device(_ path: String, _ body: JSONValue, _ token: String = MobileBench.adaToken) throws -> Response
    {
        try bench.post("/oauth/sdk/v1/mobile-auth" + path, body, headers: Self.bearer(token))
    }

    func fetch(_ otp: String, profile: String = "ADA001", _ token: String = MobileBench.adaToken) throws
        -> Response
    {
        try device("/otp/fetch", ["otp": .string(otp), "profile_id": .string(profile)], token)
    }

    /// Decrypted with the device's own key.
    func read(_ response: Response) throws -> JSONValue {
        let message = try response.fields["message"] ?? Missing.raise()
        let key = try OpenPGPVectors.shared.deviceReader()
        return try JSONValue(
            parsing: OpenPGPMessage.decrypt(Array(message.utf8), with: key, signer: nil).plaintext)
    }

    /// Base64 of a message to the server.
    func seal(_ answer: JSONValue) throws -> String {
        let server = try OpenPGPCertificate(
            try onegini.world.serverKey()?.certificate ?? Missing.raise(), at: bench.clock.now)
        return Data(try OpenPGPMessage.encrypt(answer.bytes, to: server, entropy: steadyEntropy()))
            .base64EncodedString()
    }

    func answer(
        _ plaintext: JSONValue, to id: String, way: String = "otp", _ token: String = MobileBench.adaToken
    ) throws -> Response {
        try device("/\(way)/\(id)/answer", ["message": .string(try seal(plaintext))], token)
    }

    /// The right answer to a message that was read.
    static func reply(_ message: JSONValue, _ result: String, _ more: [String: JSONValue] = [:]) -> JSONValue
    {
        var members: [String: JSONValue] = [
            "v": 1, "transaction_id": message["transaction_id"] ?? .null,
            "challenge": message["challenge"] ?? .null, "result": .string(result),
        ]
        members.merge(more) { $1 }
        return .object(members)
    }

    /// From start to answer.
    func finished(_ result: String) throws -> String {
        let (id, otp) = try startedOTP()
        _ = try answer(Self.reply(try read(fetch(otp)), result), to: id)
        return id
    }

    func transaction(_ id: String) throws -> Transaction {
        try onegini.transactions().first { $0.id == id } ?? Missing.raise()
    }

    /// Types of the events of the world, newest first.
    var events: [EventType] {
        get throws {
            try bench.world.database.read { db in
                try db.all(Event.self, "SELECT * FROM onegini_event ORDER BY position DESC").map(\.type)
            }
        }
    }
}

/// What a test takes for granted is not there.
struct Missing: Error {
    static func raise<Value>() throws -> Value { throw Missing() }
}
