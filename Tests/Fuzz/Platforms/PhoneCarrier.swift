import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice

/// A phone whose app has the SDK 2.x of PowerAuth: it signs and encrypts a body after the body was changed, so that it comes to its reader.
///
/// The field ``header`` of a request, which is not sent, says how: `signed URIID CREDENTIAL`, `encrypted PURPOSE` and optionally
/// `CREDENTIAL`, `renamed` for what is signed before it is encrypted, `claims SCOPE` of a request for a temporary key, `inner` and `outer`
/// layer of an activation, `upgrade`.
struct PhoneCarrier {
    static let header = "Fuzz-Phone"
    /// Stands in an outer layer for the inner one, which the phone makes.
    static let innerLayer = JSONValue.string("inner")
    private static let pin = "13524"

    let house: FuzzHouse
    let world: String

    /// - Returns: what came of it in the end, and of what the phone asked on the way.
    func carry(_ request: Request, _ order: String) -> [Response] {
        let (answers, words) = (Answers(), order.split(separator: " ").map(String.init))
        let phone: Device
        do { phone = try ready(for: words, answers) } catch { preconditionFailure("no phone: \(error)") }
        do {
            try carry(request, words, by: phone)
        } catch {
            // What the phone thinks of the answer is not what is looked for.
        }
        return answers.all
    }

    /// One with an activation, where the order asks for it.
    private func ready(for words: [String], _ answers: Answers) throws -> Device {
        let phone = try phone(answers)
        if words.first == "inner" || words.first == "outer" { return phone }
        phone.algorithm = words.first == "upgrade" ? nil : .p384
        try phone.activate(.init(.custom(["userId": "eva"])), pin: Self.pin)
        try phone.confirmActivation(pin: Self.pin)
        return phone
    }

    private final class Answers {
        var all: [Response] = []
    }

    private func phone(_ answers: Answers) throws -> Device {
        var asking = Request(.get, "/w/\(world)/powerauth-cloud/admin/applications/my-app")
        asking.headers = [
            "Host": "localhost:1",
            "Authorization": "Basic " + Data("admin:admin-secret".utf8).base64EncodedString(),
        ]
        let told = try JSONValue(parsing: house.dispatcher.respond(to: asking).bytes)
        let entropy = Entropy.system
        return Device(
            try MobileConfiguration(parsing: told["mobileSdkConfigV4"]?.string ?? ""),
            clock: { 1_767_225_600_000 }, random: { entropy.bytes($0, "fuzz.phone") }
        ) { sent in
            var headers: Headers = ["Host": "localhost:1"]
            for (name, value) in sent.headers { headers.add(name, value) }
            let answer = house.dispatcher.respond(
                to: Request(
                    .init(rawValue: sent.method), "/w/\(world)/enrollment-server" + sent.path,
                    query: sent.query,
                    headers: headers, body: sent.body))
            answers.all.append(answer)
            return DeviceResponse(status: answer.status.code, body: answer.bytes)
        }
    }

    private func carry(_ request: Request, _ words: [String], by phone: Device) throws {
        let path = String(request.path.dropFirst("/w/\(world)/enrollment-server".count))
        let body = request.body
        func credential(_ index: Int) -> Credential {
            words.indices.contains(index) && words[index] == "possession" ? .possession : .pin(Self.pin)
        }
        switch words.first {
        case "signed" where words.count > 2:
            _ = try phone.signedRequest(path, body: body, uriID: words[1], with: credential(2))
        case "encrypted" where words.count > 1:
            let purpose = Purpose(rawValue: words[1]) ?? .activation
            let signing =
                words.count > 2 ? Device.Signing.transmitted(uriID: words[1], credential(2)) : .none
            _ = try phone.encryptedCall(path, body, purpose, signing: signing)
        case "renamed":
            let signing = Device.Signing.plaintext(uriID: "/pa/activation/rename", .pin(Self.pin))
            _ = try phone.encryptedCall(path, body, .activation, signing: signing)
        case "claims":
            phone.faults.claims = { _ in body }
            _ = try phone.fetchTemporaryKey(words.last == "activation" ? .activation : .application)
        case "inner", "outer":
            phone.algorithm = .p384
            phone.faults.plaintext = { [isInner = words.first == "inner"] purpose, own in
                if isInner { return purpose == .keyExchange ? body : own }
                return purpose == .application ? Self.outer(body, around: own) : own
            }
            try phone.activate(.init(.custom(["userId": "eva"])), pin: Self.pin)
        case "upgrade":
            offerUpgrade()
            phone.algorithm = .p384
            phone.faults.plaintext = { purpose, own in purpose == .upgradeStart ? body : own }
            try phone.upgradeToProtocol4(pin: Self.pin)
        default: preconditionFailure("a phone cannot do “\(words.joined(separator: " "))”")
        }
    }

    private func offerUpgrade() {
        let change = #"{"inputs":{"offers_upgrade":"yes"}}"#
        let answer = house.dispatcher.respond(
            to: Request(
                .post, "/w/\(world)/_understudy/v1/records/powerauth/my-app/change",
                headers: ["Host": "localhost:1", "Content-Type": "application/json"],
                body: Array(change.utf8)))
        precondition(answer.status.code < 300, "the upgrade is not offered: \(answer.status.code)")
    }

    /// With the layer that the phone made, where the body asks for it. What is no JSON is sent as it is.
    private static func outer(_ body: [UInt8], around own: [UInt8]) -> [UInt8] {
        guard var members = (try? JSONValue(parsing: body))?.object, members["activationData"] == innerLayer
        else { return body }
        members["activationData"] = (try? JSONValue(parsing: own))?["activationData"]
        return JSONValue.object(members).bytes
    }
}
