import HTTP
import PlatformKit

/// What a newcomer can type first, shown where there is nothing to see yet.
///
/// Commands fit one platform; the first at hand that has some lends them.
struct FirstSteps {
    private let base: String
    private let commands: FirstCommands?
    private let email: String?
    /// Options that lead a command of ours to this server and this world.
    private let options: String

    init(_ platforms: [any Platform.Type], _ addresses: WorldAddresses, in world: String, people: [Person]) {
        let platform = platforms.lazy.compactMap { $0 as? any OffersFirstSteps.Type }.first
        commands = platform?.firstSteps
        base = addresses.url(platform?.mountPaths.first ?? "", in: world)
        let (server, isDefault) = (addresses.base(of: Worlds.defaultName), world == Worlds.defaultName)
        options =
            (server == "http://localhost:8420" ? "" : " --url " + server)
            + (isDefault ? "" : " --world " + world)
        // Only an address that means nothing to a shell is put into a command.
        email = people.lazy.map(\.email).first { $0.wholeMatch(of: /[A-Za-z0-9._+@-]+/) != nil }
    }

    /// A command that asks for a code for the first of the cast; nothing without a cast.
    var ask: HTML { email.flatMap { email in commands?.ask(base, email) } ?? .none }

    /// A command that starts a transaction.
    var decide: HTML { "<pre class=\"shell\" data-copy>understudy otp start\(options)</pre>" }

    /// A command that makes a phone.
    var phone: HTML {
        "<pre class=\"shell\" data-copy>understudy phone create ada --user ada\(options)</pre>"
    }

    /// A command that any request will do.
    var look: HTML {
        guard let commands else { return .none }
        return "<pre class=\"shell\" data-copy>curl \(base + commands.look)</pre>"
    }
}
