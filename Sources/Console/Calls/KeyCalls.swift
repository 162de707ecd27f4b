import Essentials
import HTTP
import PlatformKit

extension Console {
    struct RotationOutput: Encodable {
        struct Keys: Encodable {
            let algorithm: String
            let previous: String?
            let current: String
            let next: String
        }

        let platform: String
        let keys: [Keys]
    }

    /// `POST /keys/rotate`: lets a platform's next signing key sign, and publishes a new one to follow it.
    ///
    /// - Request: `{"platform": "onegini", "algorithm"?: "RS256", "tenant"?}`; without an algorithm all that the platform has keys of. A tenant is one
    ///   of a platform that has several, with keys of its own.
    /// - Response: `200 {"platform": "onegini", "keys": [{"algorithm": "RS256", "previous"?, "current", "next"}]}`, key ids in the
    ///   order in which they sign.
    /// - Errors: 404 for a platform or an algorithm that has no keys.
    func rotateKeys(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "platform", "algorithm", "tenant")
        let expected = "the name of a platform, such as “onegini”"
        guard let platform = try body.value("platform", String.self, expected: expected) else {
            throw ControlError.parameter("platform", expected: expected, given: "left out")
        }
        let algorithm = try body.value("algorithm", String.self, expected: "an algorithm such as “RS256”")
        let tenant = try body.value("tenant", String.self, expected: "the id of a tenant")
        do {
            let rotations = try world.services.keys.rotate(platform, tenant: tenant, algorithm)
            for rotation in rotations {
                world.services.journal.event(
                    "keys rotated", about: platform,
                    "The \(rotation.algorithm) key \(rotation.current) of \(platform) signs from now on; \(rotation.next) follows it."
                )
            }
            return try .json(
                RotationOutput(
                    platform: platform,
                    keys: rotations.map {
                        .init(
                            algorithm: $0.algorithm, previous: $0.previous, current: $0.current, next: $0.next
                        )
                    }))
        } catch let error as KeyMissing {
            throw ControlError.absent(error.explanation)
        }
    }
}
