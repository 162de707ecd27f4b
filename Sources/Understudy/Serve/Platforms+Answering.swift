import PlatformKit
import Platforms

extension Platforms {
    /// Those of a program that was started so.
    static func answering(_ settings: ServeSettings) -> [any Platform.Type] {
        all + (settings.takesTwilio ? onRequest : [])
    }
}
