import PlatformKit

/// A refusal of one of the platform's APIs. Each API has an enum of its own in this folder; all of them share one envelope.
protocol PowerAuthRefusal: Refusal {
    /// How the client hears it.
    var wire: WireError { get }
}
