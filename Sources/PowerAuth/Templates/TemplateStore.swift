import Essentials
import SQLite

/// The templates of operations, and what devices show of them.
struct TemplateStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_operation_template (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            data TEXT NOT NULL,
            types TEXT NOT NULL, -- JSON array of texts
            max_failures INTEGER NOT NULL,
            seconds INTEGER NOT NULL,
            risk_flags TEXT NOT NULL,
            checks_proximity INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_mobile_template (
            position INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            language TEXT NOT NULL,
            title TEXT NOT NULL,
            message TEXT NOT NULL,
            attributes TEXT NOT NULL, -- JSON array
            ui TEXT, -- JSON object
            result_texts TEXT, -- JSON object
            UNIQUE (type, language)
        ) STRICT
        """,
    ]

    func find(number: Int, in db: Connection) throws -> OperationTemplate? {
        try db.first(
            OperationTemplate.self, "SELECT * FROM powerauth_operation_template WHERE number = \(number)")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [OperationTemplate] {
        try db.all(OperationTemplate.self, "SELECT * FROM powerauth_operation_template ORDER BY number")
    }

    /// By type, and in it by language, in the order in which they came.
    func allMobile(in db: Connection) throws -> [MobileTemplate] {
        try db.all(MobileTemplate.self, "SELECT * FROM powerauth_mobile_template ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a name that is taken.
    func insert(_ template: OperationTemplate, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_operation_template (number, name, type, data, types, max_failures, seconds,
                risk_flags, checks_proximity)
            VALUES (\(template.number), \(template.name), \(template.type), \(template.data),
                \(JSONValue(template.types.map(\.rawValue)).text), \(template.maxFailures), \(template.seconds),
                \(template.riskFlags), \(template.checksProximity))
            """)
    }

    /// Writes everything but name and number.
    func update(_ template: OperationTemplate, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_operation_template
            SET type = \(template.type), data = \(template.data),
                types = \(JSONValue(template.types.map(\.rawValue)).text),
                max_failures = \(template.maxFailures), seconds = \(template.seconds),
                risk_flags = \(template.riskFlags), checks_proximity = \(template.checksProximity)
            WHERE name = \(template.name)
            """)
    }

    func remove(number: Int, in db: Connection) throws {
        try db.execute("DELETE FROM powerauth_operation_template WHERE number = \(number)")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a type that has a template in this language.
    func insert(_ template: MobileTemplate, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_mobile_template (type, language, title, message, attributes, ui, result_texts)
            VALUES (\(template.type), \(template.language), \(template.title), \(template.message),
                \(template.attributesJSON.text), \(template.ui?.text), \(template.resultTexts?.text))
            """)
    }
}
