import Hanko
import MIRACL
import NextAuth
import Onegini
import PlatformKit
import PowerAuth
import SampleApp

/// Every platform of this program. A new one is added here and nowhere else.
enum Platforms {
    static let all: [any Platform.Type] = [
        Hanko.self, MIRACL.self, NextAuth.self, Onegini.self, PowerAuth.self, SampleApp.self,
    ]
}
