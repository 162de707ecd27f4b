import DeviceKit
package import Essentials

/// An operation as the app shows it to the person.
package struct MobileOperation: Sendable, Equatable {
    package let id: String
    /// The type of the operation.
    package let name: String
    /// What is approved, byte for byte.
    package let data: String
    package let status: String
    package let statusReason: String?
    /// `1FA`, `2FA` or `ECDSA`.
    package let signatureType: String
    /// Factors that may approve it: `possession_knowledge`, `possession_biometry`.
    package let variants: [String]
    package let title: String
    package let message: String
    package let attributes: [JSONValue]
    /// The whole object, with `ui`, `formData.resultTexts` and the times.
    package let json: JSONValue

    /// - Throws: ``DeviceError`` for an object that the kits refuse: a member is missing, or a time is not in the one form that
    ///   iOS reads.
    init(_ json: JSONValue) throws {
        id = try json.text("id")
        name = try json.text("name")
        data = try json.text("data")
        status = try json.text("status")
        statusReason = json["statusReason"]?.string
        for name in ["operationCreated", "operationExpires"] { try Self.checkTime(json.text(name), name) }
        guard let type = json["allowedSignatureType"], let form = json["formData"] else {
            throw DeviceError("the operation has no “allowedSignatureType” or no “formData”: \(json.text)")
        }
        signatureType = try type.text("type")
        variants = type["variants"]?.strings ?? []
        title = try form.text("title")
        message = try form.text("message")
        guard let list = form["attributes"]?.array else { throw DeviceError("“attributes” is not an array") }
        attributes = list
        self.json = json
    }

    /// `2025-10-23T06:13:20+0000`: whole seconds, UTC, no colon.
    static func checkTime(_ text: String, _ name: String) throws {
        guard text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000/) != nil else {
            throw DeviceError("“\(name)” is “\(text)” instead of a time like 2025-10-23T06:13:20+0000")
        }
    }
}
