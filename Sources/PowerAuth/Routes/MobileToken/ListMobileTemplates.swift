import Essentials
import HTTP
import SQLite

extension PowerAuth {
    /// `GET /api/admin/template`: what devices show of each type of operation, in each language.
    ///
    /// - Request: nothing.
    /// - Response: `200`, envelope with a list of `name`, `language`, `title`, `message`, `attributes`, `resultTexts`.
    /// - Errors: 404 `ERROR_NOT_FOUND` unless the setting `shows_templates` is on.
    /// - Source: Mobile Token documentation, “Administration”.
    func listMobileTemplates(_ request: Request) throws -> Response {
        let (isShown, templates) = try database.read { db in
            (try world.settings(in: db).showsTemplates, try db.all(MobileTemplate.self))
        }
        guard isShown else {
            throw TokenAPIRefusal(.notFound, "The setting shows_templates of the fixtures is off.")
        }
        let list = templates.flatMap { template in
            template.texts.sorted { $0.key < $1.key }.map { language, text in
                text.shown(of: template.id, in: language)
            }
        }
        return .powerAuth(responseObject: .array(list))
    }
}

extension MobileTemplate.Text {
    fileprivate func shown(of type: String, in language: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(type), "language": .string(language), "title": .string(title),
            "message": .string(message), "attributes": .array((attributes ?? []).map(\.json)),
        ]
        members["resultTexts"] = resultTexts.map(JSONValue.object)
        return .object(members)
    }
}

extension AttributeTemplate {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["type": .string(type), "id": .string(id), "text": .string(text)]
        members["params"] = params.map { .object($0.mapValues(JSONValue.string)) }
        return .object(members)
    }
}
