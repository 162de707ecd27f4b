import HTTP
import PlatformKit

/// A refusal of one of the platform's APIs. Each API has an enum of its own in this folder, and a shape of its own.
protocol NextAuthRefusal: Refusal {
    /// How the client hears it.
    var response: Response { get }
}
