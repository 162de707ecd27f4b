import Hanko
import Onegini
import PlatformKit
import SampleApp

/// Every platform of this program. A new one is added here and nowhere else.
enum Platforms {
    static let all: [any Platform.Type] = [Hanko.self, Onegini.self, SampleApp.self]
}
