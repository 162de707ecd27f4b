import DeviceKit
import HTTP
import PlatformKit

/// Carries what an app's SDK sends to its platform, through the network of the phone. It hears why the platform refuses, and sends what
/// decides two times at once where that is wanted.
final class Carrier {
    private let handset: Handset
    /// Whether a request is one by which the person decides.
    private let decides: (DeviceRequest) -> Bool
    private var isDoubling = false
    /// The two answers to each request that was doubled.
    private var doubled: [[Response]] = []
    /// Of the last refusal, as the platform told it for developers. Every one has it, so that it is never that of another.
    private(set) var explanation: String?

    init(_ handset: Handset, decides: @escaping (DeviceRequest) -> Bool) {
        (self.handset, self.decides) = (handset, decides)
    }

    /// - Parameter mount: base path of the platform: `nextauth`.
    func carry(_ request: DeviceRequest, to mount: String) throws -> DeviceResponse {
        let path = "/" + mount + request.path + (request.query.map { "?" + $0 } ?? "")
        let isDoubled = isDoubling && decides(request)
        let send = isDoubled ? handset.sendTwice : sendOnce
        let responses = try send(request.method, path, request.headers, request.body)
        if isDoubled { doubled.append(responses) }
        let response = responses.first { (200...299).contains($0.status.code) } ?? responses[0]
        explanation = response.toldExplanation ?? explanation
        return DeviceResponse(
            status: response.status.code, headers: response.headers.fields.map { ($0.name, $0.value) },
            body: response.bytes)
    }

    private func sendOnce(
        _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8]
    ) throws -> [Response] {
        [try handset.send(method, path, headers: headers, body: body)]
    }

    /// Does what an answer asks for; with the fault “twice” each request that decides is sent two times at once.
    func sending<Value>(_ answer: PhoneAnswer, _ body: () throws -> Value) rethrows -> Value {
        (isDoubling, doubled) = (answer.fault == .twice, [])
        defer { isDoubling = false }
        return try body()
    }

    /// What is told of an answer that the platform has taken though there was something wrong with it: a sentence behind a full stop, or
    /// nothing.
    func note(on answer: PhoneAnswer) -> String {
        switch answer.fault {
        case nil: ""
        case .twice:
            ". It was sent two times at once: " + doubled.map(Self.outcomes).joined(separator: ", then ")
        case .changedCounter: ". The platform took another counter or challenge than its own"
        case .stolenKey: ". The platform took the copied key alone, without PIN or biometry"
        case .rooted: ". The app told the back end in mobileTokenData that the phone is rooted"
        case .oldProtocol: ". The platform took a version of the protocol that it should not speak any more"
        case .otherData: ". The platform took other data than the phone was shown"
        case .unasked: ". The platform took the answer of a phone that it had not asked"
        }
    }

    /// `200; 401, "The authentication code …"`
    private static func outcomes(_ responses: [Response]) -> String {
        responses.sorted { $0.status.code < $1.status.code }.map { response in
            let why = response.toldExplanation.map { ", “\($0)”" } ?? ""
            return "\(response.status.code)\(why)"
        }.joined(separator: "; ")
    }
}
