import Crypto
import Essentials
import WebAuthn

/// A registration taken apart, to be put together again with something changed.
struct RegistrationParts {
    var id: [UInt8]
    var clientData: [UInt8]
    var format: String
    var statement: CBOR
    var data: [UInt8]
    /// In the place of the attestation object.
    var object: [UInt8]?

    init(id: [UInt8], clientData: [UInt8], format: String, statement: CBOR, data: [UInt8]) {
        (self.id, self.clientData) = (id, clientData)
        (self.format, self.statement, self.data) = (format, statement, data)
    }

    init(_ vector: Vector) throws { try self.init(vector.credential.bytes) }

    init(_ json: [UInt8]) throws {
        let value = try JSONValue(parsing: json)
        let object = try AttestationObject(member(value, "attestationObject"))
        self.init(
            id: Base64URL.decode(value["id"]?.string ?? "") ?? [],
            clientData: member(value, "clientDataJSON"),
            format: object.format, statement: object.statement, data: object.authenticatorData)
    }

    var json: [UInt8] {
        let object =
            object
            ?? AttestationObject(format: format, statement: statement, authenticatorData: data).encoded
        return credential(
            id,
            ["clientDataJSON": text(clientData), "attestationObject": text(object), "transports": ["usb"]])
    }

    /// Sets members of the statement, and removes those that are nil.
    mutating func set(_ name: String, _ value: CBOR?) {
        let others = (statement.map ?? []).filter { $0.key != .text(name) }
        statement = .map(others + (value.map { [CBOREntry(.text(name), $0)] } ?? []))
    }
}

/// An authentication taken apart.
struct AuthenticationParts {
    var id: [UInt8]
    var clientData: [UInt8]
    var data: [UInt8]
    var signature: [UInt8]
    var userHandle: JSONValue?

    init(_ vector: Vector) { self.init(vector.credential) }

    init(_ value: JSONValue) {
        id = Base64URL.decode(value["id"]?.string ?? "") ?? []
        clientData = member(value, "clientDataJSON")
        data = member(value, "authenticatorData")
        signature = member(value, "signature")
        userHandle = value["response"]?["userHandle"]
    }

    var json: [UInt8] {
        var response: [String: JSONValue] = [
            "clientDataJSON": text(clientData), "authenticatorData": text(data), "signature": text(signature),
        ]
        response["userHandle"] = userHandle
        return credential(id, .object(response))
    }
}

func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

func member(_ credential: JSONValue, _ name: String) -> [UInt8] {
    let text = (credential["response"]?[name]?.string ?? "").replacing("+", with: "-").replacing(
        "/", with: "_")
    return Base64URL.decode(text, allowingPadding: true) ?? []
}

private func credential(_ id: [UInt8], _ response: JSONValue) -> [UInt8] {
    JSONValue.object([
        "id": text(id), "rawId": text(id), "type": "public-key", "clientExtensionResults": [:],
        "response": response,
    ]).bytes
}

extension [UInt8] {
    /// With the first occurrence of a text exchanged.
    func replacing(_ old: String, _ new: String) -> [UInt8] {
        Array(String(decoding: self, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
    }
}
