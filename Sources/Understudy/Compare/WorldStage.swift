import Comparison
import Essentials
import HTTP
import HTTPClient
import PlatformKit

/// A world of a running server as a recording is played in it: requests over HTTP, clock and outbox by the control API.
struct WorldStage {
    private static let root = "/_understudy/v1"
    private let client: HTTPClient
    private let world: World?
    private let base: String
    private let token: String?
    /// Address of the software authenticator that stands for those of the recording.
    private var authenticator = ""

    /// - Parameter world: one that is there, with all that it shall have.
    /// - Throws: ``Failure`` when it cannot be spoken to.
    init(_ place: ComparisonPlace, world: String) throws {
        (client, token) = (HTTPClient(timeout: 70, trust: place.trust), place.token)
        base = place.server + "/w/" + world
        self.world = try place.worlds.world(world)
        let authenticator = try call(
            .post, base + Self.root + "/authenticators", ["name": "of the recording"])
        self.authenticator = base + Self.root + "/authenticators/" + (authenticator["id"]?.string ?? "")
    }

    var stage: Stage {
        Stage(
            base: base,
            setClock: { time in
                _ = try call(
                    .put, base + Self.root + "/clock", ["now": .string(Timestamp.text(time)), "frozen": true])
            },
            send: { method, url, headers, body in
                let start = ContinuousClock.now
                do throws(ClientError) {
                    let answer = try client.send(method, url, headers: explained(headers), body: body)
                    return Stage.Answer(
                        status: answer.status.code, headers: answer.headers, body: answer.body,
                        seconds: (ContinuousClock.now - start) / .seconds(1))
                } catch {
                    switch error {
                    case .malformedRequest, .malformedURL, .timedOut: throw Unsendable("\(error)")
                    default: throw Failure("\(error)")
                    }
                }
            },
            sent: {
                let messages = try call(.get, base + Self.root + "/outbox?limit=50")["messages"]?.array ?? []
                // One that was used up is sent again in a recording of a refusal.
                let sent = messages.compactMap { message -> Stage.Sent? in
                    let (code, link) = (message["code"]?.string, message["link"]?.string)
                    guard code != nil || link != nil else { return nil }
                    return Stage.Sent(
                        to: message["to"]?["address"]?.string ?? "", code: code, link: link,
                        isUsed: message["usedAt"]?.string != nil,
                        at: message["sentAt"]?.string.flatMap(Timestamp.parseLeniently))
                }
                return sent.filter { !$0.isUsed } + sent.filter(\.isUsed)
            },
            passkey: credential, fixtures: fixtures,
            unanswered: {
                world.map { ($0.unansweredCalls.count, $0.unansweredCalls.last) } ?? (0, nil)
            })
    }

    /// - Throws: ``Unsendable`` with the sentence of the authenticator, which lacks passkeys that are older than the recording, and has switches for
    ///   some of what others are.
    private func credential(_ order: PasskeyOrder) throws -> [UInt8] {
        do {
            _ = try call(.patch, authenticator, ["behaviour": .object(order.behaviour)])
        } catch let failure as Failure {
            throw Unsendable("the software authenticator cannot be as the recorded one: \(failure)")
        }
        var address = "\(authenticator)/\(order.ceremony.rawValue)?origin=\(order.origin.percentEncoded)"
        if let credential = order.credential { address += "&credential=\(credential.percentEncoded)" }
        let answer = try client.send(
            .post, address, headers: headers(["Content-Type": "application/json"]), body: order.options)
        guard answer.status == .ok else {
            // What is no problem of ours is told by its status.
            let problem = try? JSONValue(parsing: answer.body)
            throw Unsendable(problem?["detail"]?.string ?? "it was answered with \(answer.status.code)")
        }
        return answer.body
    }

    /// The world's own, as JSON.
    private func fixtures() throws -> [UInt8] { try call(.get, base + Self.root + "/fixtures").bytes }

    /// With the control token, where one is asked for.
    private func headers(_ own: Headers) -> Headers {
        var headers = own
        if let token { headers["Authorization"] = "Bearer " + token }
        return headers
    }

    /// Of a request to a platform, whose refusal is explained to who has the token.
    private func explained(_ own: Headers) -> Headers {
        var headers = own
        if let token { headers["X-Understudy-Explain"] = token }
        return headers
    }

    /// - Throws: ``Failure`` with what the server says.
    private func call(_ method: Request.Method, _ url: String, _ json: JSONValue? = nil) throws -> JSONValue {
        let type: Headers = json == nil ? [:] : ["Content-Type": "application/json"]
        let answer = try client.send(method, url, headers: headers(type), body: json?.bytes ?? [])
        guard 200..<300 ~= answer.status.code else {
            // What is no problem of ours is told by its status.
            let problem = try? JSONValue(parsing: answer.body)
            throw Failure(
                problem?["detail"]?.string
                    ?? "\(method.rawValue) \(url) was answered with \(answer.status.code)")
        }
        return answer.body.isEmpty ? .null : try JSONValue(parsing: answer.body)
    }
}

extension PasskeyOrder {
    /// Switches of a software authenticator that is as the recorded one.
    fileprivate var behaviour: [String: JSONValue] {
        var behaviour: [String: JSONValue] = ["ignoresOrigin": true]
        behaviour["challenge"] = .text(deviation.challenge)
        behaviour["type"] = .text(deviation.type)
        behaviour["rpId"] = .text(deviation.relyingPartyID)
        behaviour["crossOrigin"] = .boolean(deviation.isCrossOrigin)
        behaviour["topOrigin"] = .text(deviation.topOrigin)
        behaviour["userHandle"] = .text(deviation.userHandle)
        behaviour["userHandleForm"] = .string(deviation.userHandleForm.rawValue)
        behaviour["breaksSignature"] = .boolean(deviation.breaksSignature)
        behaviour["attestationFault"] = .text(deviation.attestationFault)
        guard let role else { return behaviour }
        behaviour["counter"] = .string(role.counter.rawValue)
        behaviour["userPresent"] = .boolean(role.isUserPresent)
        behaviour["userVerified"] = .boolean(role.isUserVerified)
        behaviour["backupEligible"] = .boolean(role.isBackupEligible)
        behaviour["backedUp"] = .boolean(role.isBackedUp)
        guard let registration = role.registration else { return behaviour }
        behaviour["attestation"] = .string(registration.attestation)
        behaviour["algorithms"] = [.integer(registration.algorithm)]
        behaviour["aaguid"] = .string(registration.aaguid)
        if let transports = registration.transports { behaviour["transports"] = JSONValue(transports) }
        return behaviour
    }
}

extension JSONValue {
    /// Null puts a switch back to what is right.
    fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

extension PasskeyOrder.Registration {
    /// As the control API names it. What the authenticator cannot make is what the options ask for.
    fileprivate var attestation: String {
        switch format {
        case "packed": hasCertificates ? "packed-x5c" : "packed-self"
        case "none", "fido-u2f", "tpm", "android-key", "apple": format
        default: "asked"
        }
    }
}
