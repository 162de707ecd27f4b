import HTTP
import PlatformKit
import SQLite

// Which project a request means that names none: some clients let what they bring along say it.
extension MIRACL {
    /// The project of a registration: the one that is named, or that of its activation token or registration code.
    ///
    /// - Parameters:
    ///   - named: what the body says.
    ///   - token: nil for a registration that waits for a mail.
    ///   - refusal: what the client hears of a token that nobody was given, where nothing else says the project.
    func requireProject(
        _ request: Request, named: String?, ofToken token: String?, _ kinds: [OneTimeCode.Kind],
        of userID: String, or refusal: RegistrationRefusal
    ) throws -> Project {
        guard let token, named == nil, !namesProject(request) else {
            return try requireProject(request, named: named)
        }
        let found = try database.read { db in
            try OneTimeCode.find(kinds, token, of: userID, db) ?? OneTimeCode.find(kinds, token, db)
        }
        if let found { return try requireProject(request, named: found.projectID) }
        do {
            return try requireProject(request)
        } catch let missing as RequestRefusal where missing.isProjectMissing {
            // Digits that somebody guesses at are counted wherever they could have been right.
            let known = try projects().map(\.id)
            try world.change { turn in
                for id in known { try OneTimeCode.noteFailure(kinds, of: userID, in: id, turn) }
            }
            throw refusal
        }
    }

    /// The project that an identity or a code is of, where the request names none.
    func requireProject(_ request: Request, named: String?, or implied: String?) throws -> Project {
        try requireProject(request, named: named ?? (namesProject(request) ? nil : implied))
    }
}
