import HTTP
import PlatformKit

/// What a newcomer can type first, shown where there is nothing to see yet.
///
/// A sample fits one platform; the first of the platforms at hand that has one lends it.
struct FirstSteps {
    private struct Sample: Sendable {
        /// A path that answers a plain `GET`.
        let look: String
        /// A command that asks for a code, from the platform's base URL and a mail address.
        let ask: @Sendable (_ base: String, _ email: String) -> HTML
    }

    private static let samples: [String: Sample] = [
        "hanko": Sample(look: "/.well-known/config") { base, email in
            #"""
            <pre class="shell" data-copy>url=\#(base)
            id=$(curl -s $url/user -H 'Content-Type: application/json' \
              -d '{"email":"\#(email)"}' | sed 's/.*"id":"\([^"]*\)".*/\1/')
            curl $url/passcode/login/initialize -H 'Content-Type: application/json' \
              -d "{\"user_id\":\"$id\"}"</pre>
            """#
        }
    ]

    private let base: String
    private let sample: Sample?
    private let email: String?
    /// Options that lead a command of ours to this server and this world.
    private let options: String

    init(_ platforms: [PlatformCard], _ addresses: WorldAddresses, in world: String, people: [Person]) {
        let card = platforms.first { Self.samples[$0.name] != nil }
        sample = card.flatMap { Self.samples[$0.name] }
        base = addresses.url(card?.mounts.first ?? "", in: world)
        let (server, isDefault) = (addresses.base(of: Worlds.defaultName), world == Worlds.defaultName)
        options =
            (server == "http://localhost:8420" ? "" : " --url " + server)
            + (isDefault ? "" : " --world " + world)
        // Only an address that means nothing to a shell is put into a command.
        email = people.lazy.map(\.email).first { $0.wholeMatch(of: /[A-Za-z0-9._+@-]+/) != nil }
    }

    /// A command that asks for a code for the first of the cast; nothing without a cast.
    var ask: HTML { email.flatMap { email in sample?.ask(base, email) } ?? .none }

    /// A command that starts a transaction.
    var decide: HTML { "<pre class=\"shell\" data-copy>understudy otp start\(options)</pre>" }

    /// A command that any request will do.
    var look: HTML {
        guard let sample else { return .none }
        return "<pre class=\"shell\" data-copy>curl \(base + sample.look)</pre>"
    }
}
