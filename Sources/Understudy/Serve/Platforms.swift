import Hanko
import MIRACL
import NextAuth
import Onegini
import Phone
import PlatformKit
import PowerAuth
import SampleApp

/// Every platform of this program. A new one is added here and nowhere else.
enum Platforms {
    static let all: [any Platform.Type] = [
        Hanko.self, MIRACL.self, NextAuth.self, Onegini.self, PowerAuth.self, SampleApp.self,
        Phones.self,
    ]

    /// Those that have addresses: phones have none.
    static let served = all.filter { !$0.mountPaths.isEmpty }

    /// Every base path, in the order of the ports of `--listen all`, which documents name: one that is new comes last, so that none moves.
    static let mountPaths: [String] = {
        let known = [
            "app", "enrollment-server", "hanko", "hanko-admin", "miracl", "nextauth", "oauth",
            "powerauth-cloud",
            "api", "powerauth-java-server", "user-data-store",
        ]
        let present = Platforms.all.flatMap { $0.mountPaths }
        return known.filter { present.contains($0) } + present.filter { !known.contains($0) }.sorted()
    }()
}
