package import Essentials
import Hanko
import MIRACL
import NextAuth
import Onegini
import PasskeyAPI
import Phone
package import PlatformKit
import PowerAuth
import SampleApp
import Twilio

/// Every section of this program: its platforms, and the phones. A new one is added here and nowhere else; program, fuzzer, bench and
/// their tests have it from here.
package enum Platforms {
    package static let sections: [any Section.Type] = [
        Hanko.self, MIRACL.self, NextAuth.self, Onegini.self, PowerAuth.self, SampleApp.self,
        PasskeyAPI.self,
        Phones.self,
    ]

    /// Those that have addresses.
    package static let all: [any Platform.Type] = sections.compactMap { $0 as? any Platform.Type }

    /// Those that keep nothing in a world, and are there where somebody asks for them: Twilio's.
    package static let onRequest: [any Platform.Type] = [Twilio.self]

    /// Every base path, in the order of the ports of `--listen all`, which documents name: one that is new comes last, so that none moves.
    package static let mountPaths: [String] = {
        let present = all.flatMap { $0.mountPaths }
        return documented.filter { present.contains($0) }
            + present.filter { !documented.contains($0) }.sorted()
    }()

    /// Those whose ports documents name.
    package static let documented = [
        "app", "enrollment-server", "hanko", "hanko-admin", "miracl", "nextauth", "oauth", "powerauth-cloud",
        "api", "powerauth-java-server", "user-data-store",
    ]

    /// What environment variables say, by the name of the section: those that the products themselves read.
    package static func fixtures(from environment: [String: String]) -> [String: JSONValue] {
        [Hanko.name: Hanko.fixtures(from: environment)].compactMapValues(\.self)
    }
}
