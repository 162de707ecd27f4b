package import Essentials
package import HTTP
import PlatformKit

/// A request of a recording with its answer.
package struct Exchange: Sendable {
    /// Its place in the file, from 1.
    package let number: Int
    package let startedAt: Date
    /// Seconds from the start to the end of the answer.
    package let seconds: Double
    /// When it counts: at its start, or at the end of a wait; in our own journal when it was answered.
    package let playedAt: Date
    /// When our journal has it as taken, in seconds of its computer's clock.
    package let takenAt: Double?
    /// Whether a program of ours stood between: cookies are as it passed them on.
    package let isPassed: Bool
    /// Whether it opened a web socket, of which the answer says nothing.
    package let isWebSocket: Bool
    package let request: RecordedRequest
    package let response: RecordedResponse
}

package struct RecordedRequest: Sendable {
    package let method: String
    /// With scheme, host and query, without a fragment.
    package let url: String
    /// Without the fields that belong to a connection.
    package let headers: Headers
    package let body: [UInt8]
    /// Whether the recording has only its beginning.
    package let isCut: Bool
}

package struct RecordedResponse: Sendable {
    /// 0 for one that never came.
    package let status: Int
    package let headers: Headers
    package let body: [UInt8]
    /// Whether the recording has only its beginning, or nothing of a body that there was.
    package let isCut: Bool
}

extension Exchange {
    /// How the client reached the proxy in front of the service; nil where there was none, or its words were refused. Source: RFC 9110 §15.5.20.
    var told: ToldAddress? {
        guard response.status != 421, let address = WebAddress(request.url) else { return nil }
        return ToldAddress(request.headers, scheme: address.scheme, authority: address.authority)
    }

    /// The platform of this program that made the request: `hanko` of `understudy (hanko)`. Phones of a world, which act by themselves, call themselves `understudy`.
    var caller: String? {
        guard let agent = request.headers["User-Agent"], agent.hasPrefix("understudy ("), agent.hasSuffix(")")
        else { return nil }
        return String(agent.dropFirst("understudy (".count).dropLast())
    }

    /// Whether the service had no such path or no such method there. Source: RFC 9110 §15.5.5, §15.5.6, §15.6.2.
    var isRouteRefused: Bool { [404, 405, 501].contains(response.status) }
}

extension RecordedResponse {
    /// Whether something is missing of a text in which clients find what they send later.
    var lacksValues: Bool {
        isCut && (headers.mediaType.hasSuffix("json") || headers.mediaType.hasSuffix("html"))
    }
}

extension Headers {
    /// `application/json` of `Application/JSON; charset=utf-8`; empty without one.
    var mediaType: String {
        (self["Content-Type"] ?? "").prefix { $0 != ";" }.asciiLowercased.filter { $0 != " " }
    }
}

/// A recording that cannot be read.
package struct RecordingUnreadable: Error, Equatable, CustomStringConvertible {
    /// A sentence without a full stop, such as `this is no HTTP archive: it has no member “log”`.
    package let description: String

    package init(_ description: String) { self.description = description }
}
