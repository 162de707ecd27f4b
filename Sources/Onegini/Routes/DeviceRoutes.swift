import PlatformKit

extension Onegini {
    /// Our device protocol up to the enrollment for mobile authentication, and custom registration.
    static let deviceRoutes: [Route<Onegini>] = [
        .post("/sdk/v1/clients/challenge", Onegini.askChallenge),
        .post("/sdk/v1/clients", Onegini.registerDevice),
        .post("/sdk/v1/clients/validate", Onegini.validateDevice),
    ]
}
