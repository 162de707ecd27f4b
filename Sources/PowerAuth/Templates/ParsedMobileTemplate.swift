import Essentials

/// A mobile template, taken apart once.
struct ParsedMobileTemplate: Sendable {
    private let title: TemplateText
    private let message: TemplateText
    private let attributes: [AttributeTemplate]
    /// Nil where the risk flags of the operation decide.
    private let ui: UserInterface?
    private let resultTexts: TemplateJSON?

    init(_ template: MobileTemplate.Text) {
        title = TemplateText(template.title)
        message = TemplateText(template.message)
        attributes = template.attributes ?? []
        ui = template.ui.map { UserInterface(.object($0)) }
        resultTexts = template.resultTexts.flatMap(TemplateJSON.init)
    }

    /// Parameters are escaped as in JSON, also here: a quotation mark comes with a backslash.
    ///
    /// Source: Mobile Token documentation.
    func title(with parameters: [String: String]) -> String {
        title.filled(with: parameters, escape: \.escapedForJSON)
    }

    func message(with parameters: [String: String]) -> String {
        message.filled(with: parameters, escape: \.escapedForJSON)
    }

    /// `formData`, JSON text.
    func formData(with parameters: [String: String], language: String) -> [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("title", .string(title(with: parameters)))
        writer.add("message", .string(message(with: parameters)))
        let lines = attributes.compactMap { $0.json(with: parameters, language: language) }
        writer.add("attributes", json: lines.jsonArray)
        if let texts = resultTexts?.bytes(with: parameters) { writer.add("resultTexts", json: texts) }
        return writer.bytes
    }

    /// `ui`, JSON text; nil when there is none.
    func ui(of operation: Operation) -> [UInt8]? {
        let ui = ui ?? (operation.riskFlags.isEmpty ? nil : UserInterface(riskFlags: operation.riskFlags))
        return ui?.json(with: operation.parameters, checksProximity: operation.proximitySeed != nil)
    }
}

extension String {
    /// What stands between the quotation marks of the text in JSON.
    fileprivate var escapedForJSON: String { String(JSONValue.string(self).text.dropFirst().dropLast()) }
}

extension [[UInt8]] {
    /// An array of JSON whose elements are JSON text already.
    var jsonArray: [UInt8] {
        var bytes = [UInt8(ascii: "[")]
        bytes.reserveCapacity(reduce(2) { $0 + $1.count + 1 })
        for (index, element) in enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += element
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }
}
