import Essentials
import HTTP
import SQLite

extension PowerAuth {
    /// `GET /api/admin/template`: what devices show of each type of operation, in each language.
    ///
    /// - Request: nothing.
    /// - Response: `200`, envelope with a list of `name`, `language`, `title`, `message`, `attributes`, `resultTexts`.
    /// - Errors: 404 `ERROR_NOT_FOUND` unless the setting `shows_templates` is on.
    /// - Source: Mobile Token documentation, «Administration».
    func listMobileTemplates(_ request: Request) throws -> Response {
        let (isShown, templates) = try database.read { db in
            (try settings(in: db).showsTemplates, try TemplateStore().allMobile(in: db))
        }
        guard isShown else {
            throw TokenAPIError(.notFound, "The setting shows_templates of the fixtures is off.")
        }
        let list = templates.map { template -> JSONValue in
            var members: [String: JSONValue] = [
                "name": .string(template.type), "language": .string(template.language),
                "title": .string(template.title), "message": .string(template.message),
                "attributes": template.attributesJSON,
            ]
            members["resultTexts"] = template.resultTexts
            return .object(members)
        }
        return .powerAuth(responseObject: .array(list))
    }
}
