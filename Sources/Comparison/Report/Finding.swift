import Essentials

/// What became of one exchange of a recording.
package struct Finding: Sendable {
    package enum Verdict: Sendable {
        case agrees
        case differs([Difference])
        /// No route of ours fits.
        case notEmulated
        /// Why it cannot be compared, without a full stop.
        case notComparable(String)
        /// It differs because the exchange of this number did.
        case follows(Int)
        /// Not to a service that is emulated.
        case elsewhere
    }

    package let number: Int
    /// `POST /hanko/users/:id`; nil for one that went elsewhere.
    package let route: String?
    package let platform: String?
    package let origin: String
    package let verdict: Verdict

    init(_ exchange: Exchange, route: String?, platform: String?, _ verdict: Verdict) {
        (number, self.route, self.platform, self.verdict) = (exchange.number, route, platform, verdict)
        origin = WebAddress(exchange.request.url)?.origin ?? exchange.request.url
    }
}
