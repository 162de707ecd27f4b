import Essentials
import PlatformKit
import WebAuthn

@testable import Hanko

/// A client with an authenticator in software, at an origin that Hanko's own defaults expect.
struct Phone {
    private var authenticator: SoftwareAuthenticator

    init(origin: String = "http://localhost:8888") {
        let entropy = Entropy.seeded(7)
        authenticator = SoftwareAuthenticator(
            SoftwareBehaviour(origin: origin), entropy: .init(bytes: { entropy.bytes($0, "phone") }))
    }

    /// The input `public_key` for the options of the payload.
    mutating func create(_ payload: JSON) throws -> JSON {
        ["public_key": try JSON(parsing: authenticator.create((payload["creation_options"] ?? .null).bytes))]
    }

    /// The input `assertion_response` for the options of the payload.
    mutating func get(_ payload: JSON) throws -> JSON {
        [
            "assertion_response": try JSON(
                parsing: authenticator.get((payload["request_options"] ?? .null).bytes))
        ]
    }
}
