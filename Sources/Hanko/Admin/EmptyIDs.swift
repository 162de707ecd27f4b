package import HTTP
import PlatformKit

/// Paths of the admin API in which an id is empty, such as `/users//emails`: no path here, while the router of the original takes them and
/// refuses the id. Source: Hanko, tests of the handlers of the admin API.
extension Hanko: ExplainsLostPaths {
    package static func hint(for unknown: RouteUnknown) -> String? {
        emptyID(in: unknown).map { "The \($0) in the path is empty." }
    }

    /// What the id is called that is empty in a path which would exist with one.
    static func emptyID(in unknown: RouteUnknown) -> String? {
        guard unknown.allowed.isEmpty,
            let home = ["/hanko-admin/", "/hanko/admin/"].first(where: unknown.path.hasPrefix)
        else { return nil }
        let asked = segments(unknown.path.dropFirst(home.count - 1))
        // A pattern of more segments than any route has fits nothing.
        guard asked.count <= 6, asked.contains("") else { return nil }
        return adminRoutes.lazy.filter { $0.method == unknown.method }
            .compactMap { emptyID(of: $0.pattern, in: asked) }.first
    }

    /// What the validation of the original says of it.
    static func emptyIDRefusal(_ unknown: RouteUnknown) -> (any Error)? {
        guard let name = emptyID(in: unknown) else { return nil }
        var check = Validation()
        _ = check.required(name, "", .uuid)
        do {
            try check.finish(isWrapped: true)
            return nil
        } catch {
            return error
        }
    }

    private static func emptyID(of pattern: String, in asked: [Substring]) -> String? {
        let pattern = segments(pattern[...])
        guard pattern.count == asked.count else { return nil }
        var empty: String?
        for (part, segment) in zip(pattern, asked) {
            if !part.hasPrefix(":") {
                guard part == segment else { return nil }
            } else if segment.isEmpty, empty == nil {
                empty = name(of: part.dropFirst(), in: pattern)
            }
        }
        return empty
    }

    /// As the original calls it.
    private static func name(of parameter: Substring, in pattern: [Substring]) -> String {
        if parameter != "id" { return parameter + "_id" }
        return pattern.first == "users" && pattern.count > 2 ? "user_id" : "id"
    }

    private static func segments(_ path: Substring) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
    }
}
