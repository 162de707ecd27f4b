import DeviceKit
import PowerAuthDevice
import Testing

/// A refusal as the wire tells it.
struct Refusal: Equatable, CustomStringConvertible {
    let status: Int
    let code: String
    let message: String

    static let signature = Refusal(
        status: 401, code: "ERR_AUTHENTICATION", message: "POWER_AUTH_SIGNATURE_INVALID")
    static let signatureType = Refusal(
        status: 401, code: "ERR_AUTHENTICATION", message: "POWER_AUTH_SIGNATURE_TYPE_INVALID")
    static let token = Refusal(status: 401, code: "ERR_AUTHENTICATION", message: "POWER_AUTH_TOKEN_INVALID")
    static let tokenBody = Refusal(status: 401, code: "ERR_AUTHENTICATION", message: "POWER_AUTH_TOKEN_ERROR")
    static let request = Refusal(
        status: 401, code: "ERR_AUTHENTICATION", message: "POWER_AUTH_REQUEST_INVALID")
    static let activation = Refusal(
        status: 400, code: "ERR_ACTIVATION", message: "POWER_AUTH_ACTIVATION_INVALID")
    static let vault = Refusal(
        status: 400, code: "ERR_SECURE_VAULT", message: "POWER_AUTH_SECURE_VAULT_INVALID")
    static let encryption = Refusal(
        status: 400, code: "ERR_ENCRYPTION", message: "POWER_AUTH_ENCRYPTION_FAILED")
    static let upgrade = Refusal(status: 400, code: "ERR_UPGRADE", message: "POWER_AUTH_UPGRADE_FAILED")
    static let temporaryKey = Refusal(
        status: 400, code: "ERR_TEMPORARY_KEY", message: "POWER_AUTH_TEMPORARY_KEY_FAILURE")

    init(status: Int, code: String, message: String) {
        (self.status, self.code, self.message) = (status, code, message)
    }

    init(_ refusal: ServerRefusal) {
        self.init(status: refusal.status, code: refusal.code ?? "", message: refusal.message ?? "")
    }

    init(_ response: DeviceResponse) { self.init(ServerRefusal(response)) }

    var description: String { "\(status) \(code) \(message)" }
}

/// The body is refused, and just so.
func expect(
    _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    let error = #expect(throws: ServerRefusal.self, sourceLocation: sourceLocation) { try body() }
    #expect(error.map(Refusal.init) == refusal, sourceLocation: sourceLocation)
}
