import Essentials
import HTTP

/// What the Mobile Token API notes of a request in the `additionalData` of an operation.
struct DeviceFacts: Sendable {
    private(set) var members: [String: JSONValue]

    init(_ request: Request) {
        members = [Operation.AdditionalMember.ipAddress: .string(Self.address(of: request))]
        members[Operation.AdditionalMember.userAgent] = request.headers["User-Agent"].map(JSONValue.string)
    }

    /// - Parameter input: its `mobileTokenData`, any JSON, is kept as it came.
    init(_ request: Request, _ device: Authenticated, _ input: [String: JSONValue]) {
        self.init(request)
        members[Operation.AdditionalMember.application] = .string(device.application.id)
        members[Operation.AdditionalMember.activation] = .string(device.activation.id)
        members[Operation.AdditionalMember.mobileTokenData] = input["mobileTokenData"].flatMap {
            $0.isNull ? nil : $0
        }
    }

    mutating func add(_ name: String, _ text: String?) { members[name] = text.map(JSONValue.string) }

    /// A proxy on this machine may say for whom it asks.
    private static func address(of request: Request) -> String {
        guard request.peer.isLoopback,
            let forwarded = request.headers["X-Forwarded-For"]?.split(separator: ",").first
        else { return request.peer.address }
        return String(forwarded.filter { !$0.isWhitespace }.prefix(45))
    }
}
