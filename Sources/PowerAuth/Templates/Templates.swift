import Essentials
import PlatformKit
import SQLite

/// All templates of a world, read and taken apart once.
struct Templates: Sendable {
    /// By name.
    let operations: [String: Known]
    /// By operation type, and then by language.
    private let mobile: [String: [String: ParsedMobileTemplate]]

    /// An operation template and its data, taken apart.
    struct Known: Sendable {
        let template: OperationTemplate
        let data: TemplateText
    }

    init(operations: [OperationTemplate], mobile: [MobileTemplate]) {
        self.operations = Dictionary(
            operations.map { ($0.name, Known(template: $0, data: TemplateText($0.data))) }
        ) { first, _ in first }
        self.mobile = Dictionary(
            mobile.map { ($0.id, $0.texts.mapValues(ParsedMobileTemplate.init)) }
        ) { first, _ in first }
    }

    /// What a device shows: in its language, or else in English, or else in any.
    func mobile(_ type: String, in language: String) -> ParsedMobileTemplate? {
        guard let languages = mobile[type] else { return nil }
        return languages[language] ?? languages["en"] ?? languages.min { $0.key < $1.key }?.value
    }
}

extension World {
    fileprivate static let templatesName = "powerauth.templates"

    /// Kept between requests.
    func templates(in db: Connection) throws -> Templates {
        try services.memo.value(Self.templatesName) {
            Templates(
                operations: try db.all(OperationTemplate.self), mobile: try db.all(MobileTemplate.self))
        }
    }
}

extension Turn {
    /// The templates are read anew after a change of them.
    func forgetTemplates() { forget(World.templatesName) }
}
