import PlatformKit

/// What a newcomer can type first, shown where there is nothing to see yet.
///
/// A sample fits one platform; the first of the platforms at hand that has one lends it.
struct FirstSteps {
    private struct Sample: Sendable {
        /// A path that answers a plain `GET`.
        let look: String
        /// Asks for a code: a path, and a body with the person's id in it.
        let askPath: String
        let askBody: @Sendable (_ personID: String) -> HTML
    }

    private static let samples: [String: Sample] = [
        "hanko": Sample(
            look: "/.well-known/config", askPath: "/passcode/login/initialize",
            askBody: { "{\"user_id\":\"\($0)\"}" })
    ]

    private let base: String
    private let sample: Sample?
    private let person: Person?

    init(_ platforms: [PlatformCard], _ addresses: WorldAddresses, in world: String, person: Person?) {
        let card = platforms.first { Self.samples[$0.name] != nil }
        sample = card.flatMap { Self.samples[$0.name] }
        base = addresses.url(card?.mounts.first ?? "", in: world)
        self.person = person
    }

    /// A command that asks for a code for the first of the cast; nothing without a cast.
    var ask: HTML {
        guard let sample, let person else { return .none }
        return """
            <pre class="shell" data-copy>curl \(base + sample.askPath) \\
              -H 'Content-Type: application/json' \\
              -d '\(sample.askBody(person.id))'</pre>
            """
    }

    /// A command that any request will do.
    var look: HTML {
        guard let sample else { return .none }
        return "<pre class=\"shell\" data-copy>curl \(base + sample.look)</pre>"
    }
}
