import HTTP
import PlatformKit

/// A refusal of one of the platform's APIs. Each API has a type and a shape of its own.
protocol NextAuthRefusal: Refusal {
    /// How the client hears it.
    var response: Response { get }
}
