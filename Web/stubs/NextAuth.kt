/*
 * A stand-in for nextAuth's Mobile SDK for Android, for tests against Understudy. Not the vendor's code: it has the names of the vendor's
 * public documentation, of version 2 and of version 3 of the SDK, and speaks Understudy's open device protocol.
 * understudy stub NextAuth.kt > NextAuth.kt; how to put it into a project, and how to swap it back: /docs/stubs.md.
 *
 * It fits Understudy @VERSION@; after an update of the program take it anew. Needs Android API 23 or a JVM 11, Kotlin 1.9 and nothing else.
 * The only call that the vendor's SDK does not have is the first:
 *
 *     NextAuth.connect("http://10.0.2.2:8420/nextauth", """{"appLoginInactivityTimeout": "5m", "singleAccount": true}""", file)
 *
 * Both faces are in this file. As in the vendor's version 3, "legacyUserInteraction": true in the configuration asks for the callbacks of
 * version 2 alone (ConfirmLogin, SecondFactor, SessionLogin, …), false for those of version 3 alone (FlowUpdate, SessionUpdate, Error, …).
 * Without it both come, so that an app of either version hears its own.
 *
 * Names that public pages spell: NextAuth.getNextAuth, getAppLogin (static, and of the instance), addObserver, removeObserver,
 * NextAuthObserver.onCallback, AbstractCallbackHandler with onSecondFactor, onSessionStop and onFlowUpdate, Callback.trigger, ConfirmEnrol,
 * ConfirmLogin, SecondFactor, SessionLogin, SessionStop, AccountUpdate, AccountDeleted, UserErrorMessage, FlowUpdate, SessionUpdate,
 * TokenResult, RetrievedMessages, Error, Panic, getSessionManager().setAccount, getSecondFactorManager().sfInput,
 * getFlowManager().start and inputSecondFactor, getTransactionManager().create, PinContainer, NextAuthException, NextAuthError,
 * InteractionSecondFactorInfo.SecondFactorType, the fields of flows and interactions, getAccountManager().getAccounts and deleteAccount,
 * processQR, getToken, retrieveMessages, getWebNonce, getUserName, getAnnounceInfo().getInfo, the numbers of error codes below 1000.
 * The vendor's reference is not public: package, getters and the other names (inputConfirm, cancel, …) are formed after these.
 *
 * Lacks: flows that change the PIN or the biometrics, transactions that the app makes, getToken, logos, the history, the QR code reader,
 * pushes by FCM (they are pulled), manuallyStartUserInteraction. Keys are software keys in a file that nothing protects.
 */
package com.nextauth.android

import java.io.File
import java.io.IOException
import java.math.BigDecimal
import java.math.RoundingMode
import java.net.HttpURLConnection
import java.net.URL
import java.nio.CharBuffer
import java.security.KeyFactory
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.PrivateKey
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.ScheduledFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

// What an app hears

/** Hears of everything. Callbacks come one after the other, on Android on the main thread. */
interface NextAuthObserver {
    fun onCallback(callback: Callback)
}

/** Something that the app shall show or ask; [trigger] calls the method that is named after it. */
sealed class Callback {
    abstract fun trigger(handler: AbstractCallbackHandler)
}

/** For observers that want a method for each kind of callback. */
abstract class AbstractCallbackHandler {
    open fun onConfirmEnrol(callback: ConfirmEnrol) {}
    open fun onConfirmLogin(callback: ConfirmLogin) {}
    open fun onConfirmTransaction(callback: ConfirmTransaction) {}
    open fun onSecondFactor(callback: SecondFactor) {}
    open fun onSessionLogin(callback: SessionLogin) {}
    open fun onSessionStop(callback: SessionStop) {}
    open fun onAccountUpdate(callback: AccountUpdate) {}
    open fun onAccountDeleted(callback: AccountDeleted) {}
    open fun onUserErrorMessage(callback: UserErrorMessage) {}
    open fun onFlowUpdate(callback: FlowUpdate) {}
    open fun onSessionUpdate(callback: SessionUpdate) {}
    open fun onTokenResult(callback: TokenResult) {}
    open fun onRetrievedMessages(callback: RetrievedMessages) {}
    open fun onError(callback: Error) {}
    open fun onPanic(callback: Panic) {}
}

class AccountUpdate(val account: Account) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onAccountUpdate(this)
}

class AccountDeleted(val account: Account) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onAccountDeleted(this)
}

// … in version 2

/** A new account is wanted: answer with `setAccount(session)` or `stopSession`. [vash]: a PNG, the visual hash of the server's key. */
class ConfirmEnrol(val session: Session, val vash: ByteArray?) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmEnrol(this)
}

/** A login is wanted: answer with `setAccount` and one of [accounts], or `stopSession`. */
class ConfirmLogin(val session: Session, val accounts: List<Account>) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmLogin(this)
}

/** A transaction is to be signed: answer with `confirmTransaction`. The field benificiary is spelled as the server's API spells it. */
class ConfirmTransaction(val session: Session, val amount: String?, val benificiary: String?, val description: String?) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onConfirmTransaction(this)
}

/** The second factor is wanted ([context]; answer with `sfInput`), or what came of it ([result]); the other one is null. */
class SecondFactor(val session: Session, val context: Context?, val result: Result?, val triesLeft: Int?) : Callback() {
    enum class Context { FIRST_SET, VERIFY }
    enum class Result { SUCCESS, WRONG, BLOCKED, CANCELLED }

    override fun trigger(handler: AbstractCallbackHandler) = handler.onSecondFactor(this)
}

class SessionLogin(val session: Session) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onSessionLogin(this)
}

/** [reason]: USER, INACTIVITY, APPLOGIN_TIMEOUT, PING_TIMEOUT, SERVER_LOGOUT, ACCOUNT_BLOCKED, ACCOUNT_DELETED, REPLACED or UNKNOWN. */
class SessionStop(val session: Session, val reason: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onSessionStop(this)
}

/** [code]: the number of a [NextAuthError], such as 34, no accounts for this server. */
class UserErrorMessage(val code: Int, val message: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onUserErrorMessage(this)
}

// … in version 3

/** A flow goes on. Where its state is WAIT_FOR_INPUT, answer by the [FlowManager] what its current interaction asks. */
class FlowUpdate(val flow: Flow) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onFlowUpdate(this)
}

/** A session began or ended. */
class SessionUpdate(val session: Session) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onSessionUpdate(this)
}

/** What `getToken` brought. The stub never calls it. */
class TokenResult(val token: String?) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onTokenResult(this)
}

/** What `retrieveMessages` found; logins and transactions among them start their flows by themselves. */
class RetrievedMessages(val messages: List<Message>) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onRetrievedMessages(this)
}

/** Something went wrong outside of a flow. */
class Error(val error: NextAuthError, val message: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onError(this)
}

/** Something went wrong for good: accounts and keys cannot be kept. */
class Panic(val message: String) : Callback() {
    override fun trigger(handler: AbstractCallbackHandler) = handler.onPanic(this)
}

/** [type]: LOGIN, TRANSACTION, LOGOUT or ACCOUNT_DELETED. */
class Message internal constructor(val id: String, val type: String)

/**
 * Why something did not work. Numbers below 1000 are the vendor's; from 1000 on they are 1000 and the number of Understudy's device protocol.
 */
enum class NextAuthError(val code: Int) {
    /** The server could not be reached, or what answered is not Understudy. */
    UNREACHABLE(0),
    QR_PARSING_ERROR(32),
    QR_UNKNOWN_TYPE(33),
    NO_ACCOUNTS_FOR_SERVER(34),
    SINGLE_ACCOUNT(40),
    ENROL_QR_EXPIRED(41),
    SERVER_AUTHENTICATION_FAILED(48),
    SERVER_PARAMETERS_NO_RESULT(64),
    BAD_REQUEST(1001),
    UNKNOWN_INSTALLATION(1002),
    FLOW_NOT_FOUND(1036),
    /** A step that does not fit, such as a second flow at a time. */
    WRONG_STATE(1037),
    MULTIPLE_ACCOUNTS(1038),
    CONTINUOUS_AUTHENTICATION_REQUIRED(1039),
    SECOND_FACTOR_BLOCKED(1041),
    /** The vendor's SDK can, this stub cannot. */
    NOT_EMULATED(1501);

    internal companion object {
        /** [number]: of the device protocol; [kind]: of the flow. */
        fun of(number: Int, kind: String?): NextAuthError = when (number) {
            0 -> UNREACHABLE // Not an answer of the device protocol.
            3, 30, 31 -> SERVER_AUTHENTICATION_FAILED
            34 -> NO_ACCOUNTS_FOR_SERVER
            35 -> SERVER_PARAMETERS_NO_RESULT
            38 -> if (kind == "ENROL") SINGLE_ACCOUNT else MULTIPLE_ACCOUNTS
            40 -> ENROL_QR_EXPIRED
            else -> values().find { it.code == 1000 + number } ?: BAD_REQUEST
        }
    }
}

class NextAuthException internal constructor(val error: NextAuthError, message: String) : Exception(message)

// What an app handles

class Account internal constructor(val id: Long, val serverId: String, internal val key: PrivateKey, internal val publicKey: String) {
    /** The name that the enrolment gave it. */
    @Volatile var userName: String = ""; internal set
    /** Null as long as no back end has named the user. */
    @Volatile var userId: String? = null; internal set
    @Volatile var isBlocked: Boolean = false; internal set
}

/** What a back end says of itself to the user: texts by their keys. */
class AnnounceInfo internal constructor(private val texts: Map<String, String>) {
    fun getInfo(key: String): String? = texts[key]
}

class Session internal constructor(val isAppLogin: Boolean) {
    enum class State { STARTING, WAITING_FOR_USER_INPUT, ACTIVE, DONE, ERROR }

    /** Null before the login. */
    @Volatile var id: String? = null; internal set
    @Volatile var state = State.STARTING; internal set
    @Volatile var account: Account? = null; internal set
    /** Of an AppLogin, what the app hands its back end. */
    @Volatile var webNonce: String? = null; internal set
    @Volatile internal var texts: Map<String, String> = emptyMap()
    internal var pingTime = 0L

    val isLoggedIn: Boolean get() = state == State.ACTIVE
    val isLoggedOut: Boolean get() = state == State.DONE
    fun getAnnounceInfo() = AnnounceInfo(texts)
}

/** Of version 3. The first three come from the back end; the others the vendor's app sets, which this stub does not take. */
class Transaction {
    var amount: String? = null; internal set
    var benificiary: String? = null; internal set
    var description: String? = null; internal set
    var clientAdditionalData: ByteArray? = null
    var clientState: ByteArray? = null
    var requiredSecondFactorType: InteractionSecondFactorInfo.SecondFactorType? = null
}

/** Where a flow stands. It does not change; the next update has another one. */
class Flow internal constructor(
    val type: Type, val state: State, val session: Session, val transaction: Transaction?, val currentInteraction: Interaction?,
    val previousInteractionResult: InteractionResult?, val secondFactorAccount: SecondFactorAccount, val error: NextAuthError?) {
    enum class Type { ENROL, LOGIN, SIGN_TRANSACTION, CHANGE_PIN, ADD_BIOMETRICS, REMOVE_BIOMETRICS, HEADLESS_UPGRADE }
    enum class State { WAIT_FOR_INPUT, PROCESSING, DONE, ERROR }

    /** The vendor's pages use both names. */
    val currentUserInteraction: Interaction? get() = currentInteraction
}

/** What the user shall do, or, while the flow is PROCESSING, has done ([inputTypes]). [vash]: a PNG, in an enrolment. */
class Interaction internal constructor(
    val type: Type, val inputTypes: Set<InputType>, val secondFactorInfo: InteractionSecondFactorInfo?,
    val confirmSessionInfo: InteractionConfirmSessionInfo?, val vash: ByteArray?) {
    enum class Type { CONFIRM, CONFIRM_TRANSACTION, VERIFY_SECOND_FACTOR, SET_SECOND_FACTOR }
    enum class InputType { PIN, BIOMETRICS, CONFIRM }
}

class InteractionSecondFactorInfo internal constructor(
    val allowedSecondFactors: Set<SecondFactorType>, val requiredSecondFactors: Set<SecondFactorType>) {
    enum class SecondFactorType { PIN, BIOMETRICS }

    /** The vendor's pages use both names. */
    val allowedSecondFactorTypes: Set<SecondFactorType> get() = allowedSecondFactors
    val requiredSecondFactorTypes: Set<SecondFactorType> get() = requiredSecondFactors
}

/** [accounts]: to choose from in a login, those that exist already in an enrolment. */
class InteractionConfirmSessionInfo internal constructor(val accounts: List<Account>, val isSecondFactorNeeded: Boolean)

class InteractionResult internal constructor(
    val type: Type, val interactionType: Interaction.Type, val inputTypes: Set<Interaction.InputType>) {
    enum class Type { SUCCESS, PIN_FAIL, BIOMETRICS_REMOVED }
}

/** [remainingAttempts]: of the PIN; null as long as the server has not said. */
class SecondFactorAccount internal constructor(val remainingAttempts: Int?, val isPinBlocked: Boolean)

/** A PIN on its way; it is wiped once it was used. */
class PinContainer(pin: CharSequence) {
    internal val digits = CharArray(pin.length) { pin[it] }
    fun clear() = digits.fill('\u0000')
}

/** The login to the app itself. Two spellings each, for Java's and for Kotlin's use of the vendor's SDK. */
class AppLogin internal constructor(private val sdk: NextAuth) {
    val session: Session? get() = sdk.appLoginSession

    /** Asks for the second factor where it is due, and for nothing else. */
    fun start() = sdk.start("APPLOGIN", emptyMap())
    fun stop() = sdk.later { sdk.appLoginSession?.let { sdk.stop(it, "USER") } }

    fun isLoggedIn(): Boolean = session != null
    val isLoggedIn: Boolean @JvmName("loggedIn") get() = session != null
    /** What the app hands its back end; null unless logged in. */
    fun getWebNonce(): String? = session?.webNonce
    val webNonce: String? @JvmName("webNonce") get() = session?.webNonce
    fun getUserName(): String? = session?.account?.userName
    val userName: String? @JvmName("userName") get() = session?.account?.userName
}

/** Sessions by the calls of version 2. */
class SessionManager internal constructor(private val sdk: NextAuth) {
    /** Bytes of a QR code: enrolment, login or transaction. A code of somebody else comes back as error 32. */
    fun startSession(data: ByteArray) = startSession(String(data, Charsets.ISO_8859_1))

    /** The text of a QR code, or a link that has its base64url behind the scheme. */
    fun startSession(data: String) = sdk.later {
        val (kind, code) = Code.read(data)
        sdk.begin(kind, mapOf("data" to code))
    }

    /** Confirms an enrolment, or a login with one of the accounts of its callback. [userInput]: text for the back end. */
    @JvmOverloads fun setAccount(session: Session, account: Account? = null, userInput: String? = null) =
        sdk.confirm(session, account, userInput)

    fun confirmTransaction(session: Session, approve: Boolean) = sdk.decide(session, approve)

    /** Ends a session, or cancels what is being asked. */
    fun stopSession(session: Session) = sdk.later { sdk.stop(session, "USER") }

    /** Those that run. Counts as activity of the user. */
    fun getSessions(): List<Session> = sdk.noteReading().let { sdk.running.toList() }
    val sessions: List<Session> @JvmName("sessions") get() = getSessions()
}

class SecondFactorManager internal constructor(private val sdk: NextAuth) {
    fun sfInput(pin: PinContainer) = sdk.factor(pin, false)
    /** Biometrics. The object is not looked at: what the user's finger has unlocked is the app's business. */
    fun sfInput(cryptoObject: Any) = sdk.factor(null, cryptoObject != Unit)
    /** Sets up both. */
    fun sfInput(pin: PinContainer, cryptoObject: Any) = sdk.factor(pin, cryptoObject != Unit)
}

/** Flows by the calls of version 3. */
class FlowManager internal constructor(private val sdk: NextAuth) {
    /** Bytes of a QR code: enrolment, login or transaction. Throws for a code of somebody else, and while another flow is active. */
    @Throws(NextAuthException::class) fun start(data: ByteArray) = start(String(data, Charsets.ISO_8859_1))

    /** The text of a QR code, or a link that has its base64url behind the scheme. */
    @Throws(NextAuthException::class) fun start(data: String) {
        val (kind, code) = Code.read(data)
        if (sdk.flow != null) throw NextAuthException(NextAuthError.WRONG_STATE, "Another flow is active; cancel it first.")
        sdk.start(kind, mapOf("data" to code))
    }

    /** The one that is active, if any. */
    fun getFlow(): Flow? = sdk.flow
    val flow: Flow? @JvmName("flow") get() = sdk.flow

    /** Confirms an enrolment, or a login with one of the accounts of the interaction. [userInput]: text for the back end. */
    @JvmOverloads fun inputConfirm(account: Account? = null, userInput: String? = null) = sdk.confirm(null, account, userInput)
    fun inputConfirmTransaction(approve: Boolean) = sdk.decide(null, approve)
    fun inputSecondFactor(pin: PinContainer) = sdk.factor(pin, false)
    /** Biometrics. The object is not looked at: what the user's finger has unlocked is the app's business. */
    fun inputSecondFactor(cryptoObject: Any) = sdk.factor(null, cryptoObject != Unit)
    fun inputSecondFactor(pin: PinContainer, cryptoObject: Any) = sdk.factor(pin, cryptoObject != Unit)
    fun cancel() = sdk.cancel()
}

class TransactionManager internal constructor() {
    /** Not emulated: Understudy's transactions begin at the back end. */
    @Throws(NextAuthException::class) fun create(transaction: Transaction, account: Account): Unit =
        throw NextAuthException(NextAuthError.NOT_EMULATED, "not emulated: a transaction that the app makes ($transaction, account ${account.id}); make it at the back end")
}

class AccountManager internal constructor(private val sdk: NextAuth) {
    /** Counts as activity of the user. Never waits. */
    fun getAccounts(): List<Account> = sdk.noteReading().let { sdk.kept.toList() }
    val accounts: List<Account> @JvmName("accounts") get() = getAccounts()
    fun deleteAccount(account: Account) = sdk.delete(account)
}

/** Where vendor's Java has a static method and a method of the instance by one name, the second is `@JvmName`d out of Java's sight. */
class NextAuth private constructor(url: String, configuration: String, private val storage: File?) {
    companion object {
        @Volatile private var current: NextAuth? = null

        /**
         * Begins. Stands for the vendor's initialisation with a signed configuration.
         *
         * @param url of nextAuth in Understudy, such as `http://10.0.2.2:8420/nextauth`, in a world of its own `…/w/NAME/nextauth`.
         * @param configuration a JSON object with members of the vendor's configuration reference; those that only the vendor's SDK knows
         *   are taken and have no effect. Throws IllegalArgumentException where it is none, or a duration in it is none.
         * @param storage a file for accounts and keys; without it they are gone with the process.
         */
        @JvmStatic @JvmOverloads fun connect(url: String, configuration: String = "{}", storage: File? = null): NextAuth {
            val made = NextAuth(url, configuration, storage)
            current?.close()
            current = made
            made.begin()
            return made
        }

        @JvmStatic fun getNextAuth(): NextAuth = checkNotNull(current) { "call NextAuth.connect first" }
        @JvmStatic fun getAppLogin(): AppLogin = getNextAuth().managers.appLogin
        @JvmStatic fun getSessionManager(): SessionManager = getNextAuth().managers.session
    }

    private class Managers(sdk: NextAuth) {
        val appLogin = AppLogin(sdk)
        val session = SessionManager(sdk)
        val secondFactor = SecondFactorManager(sdk)
        val account = AccountManager(sdk)
        val flow = FlowManager(sdk)
        val transaction = TransactionManager()
    }

    private val managers = Managers(this)
    private val base = url.trimEnd('/') + "/device/v1"
    private val config = Configuration(Json.parse(configuration) as? Map<*, *> ?: throw IllegalArgumentException("the configuration is no JSON object"))
    private val observers = CopyOnWriteArrayList<NextAuthObserver>()
    private val worker = Executors.newSingleThreadScheduledExecutor { Thread(it, "nextAuth stub").apply { isDaemon = true } }
    /** Says that the user reads lists; the worker has more urgent things to do. */
    private val reader = Executors.newSingleThreadExecutor { Thread(it, "nextAuth stub reading").apply { isDaemon = true } }
    /** Where callbacks are called: the main thread of Android, or else a thread of the stub. */
    @Volatile var callbackExecutor: Executor = callbackThread()
    internal val kept = CopyOnWriteArrayList<Account>()
    internal val running = CopyOnWriteArrayList<Session>()
    @Volatile internal var appLoginSession: Session? = null
    /** The active one. */
    @Volatile internal var flow: Flow? = null

    @JvmName("appLogin") fun getAppLogin(): AppLogin = managers.appLogin
    val appLogin: AppLogin @JvmName("ownAppLogin") get() = managers.appLogin
    @JvmName("sessionManager") fun getSessionManager(): SessionManager = managers.session
    val sessionManager: SessionManager @JvmName("ownSessionManager") get() = managers.session
    fun getSecondFactorManager(): SecondFactorManager = managers.secondFactor
    val secondFactorManager: SecondFactorManager @JvmName("ownSecondFactorManager") get() = managers.secondFactor
    fun getAccountManager(): AccountManager = managers.account
    val accountManager: AccountManager @JvmName("ownAccountManager") get() = managers.account
    fun getFlowManager(): FlowManager = managers.flow
    val flowManager: FlowManager @JvmName("ownFlowManager") get() = managers.flow
    fun getTransactionManager(): TransactionManager = managers.transaction
    val transactionManager: TransactionManager @JvmName("ownTransactionManager") get() = managers.transaction
    fun addObserver(observer: NextAuthObserver) { observers.addIfAbsent(observer) }
    fun removeObserver(observer: NextAuthObserver) { observers.remove(observer) }

    /** Registers for pushes; the stub pulls them, whatever the token is. Before the first enrolment it is kept until then. */
    fun updatePushToken(token: String) = later {
        pushToken = token
        if (this.token != null) call("PUT", "/instance", mapOf("pushtoken" to token))
    }

    /** Asks for pushes now, of version 3. */
    fun retrieveMessages() = later {
        val found = if (token == null) emptyList<Map<*, *>>() else messages()
        tell(null, RetrievedMessages(found.map { Message(it["messageid"] as String, it["type"] as String) }))
        pull(found)
    }

    /** Not emulated: give the web nonce to a token service instead. Comes back as an error. */
    fun getToken() = later {
        throw NextAuthException(NextAuthError.NOT_EMULATED, "not emulated: getToken; trade the web nonce of the AppLogin for a token at your back end")
    }

    /** Not emulated: the bytes of the code go to `startSession` or `FlowManager.start`. */
    @Throws(NextAuthException::class) fun processQR(image: Any): ByteArray =
        throw NextAuthException(NextAuthError.NOT_EMULATED, "not emulated: reading a QR code out of $image; hand over the bytes of the code")

    // From here on all runs on the worker, except for what only asks.

    /** The server said no. */
    private class Refused(val number: Int, val status: Int, message: String) : Exception(message)

    /** The app asked for something that does not fit; nothing has changed. */
    private class Misuse(message: String) : Exception(message)

    /** A session of which something is asked. */
    private class Step(val type: String, val session: Session) {
        var flow: Map<*, *> = emptyMap<String, Any?>()
        var newKey: KeyPair? = null
        var isConfirmed = false
        var isAsked = false
        var inputs: Set<Interaction.InputType> = emptySet()
        var previous: InteractionResult? = null
        var isPinBlocked = false
        val id get() = flow["flowid"] as String
        val challenge get() = flow["challenge"] as String
        val interaction get() = flow["interaction"] as? Map<*, *>
        val wish get() = interaction?.get("type") as? String
        val triesLeft get() = (interaction?.get("triesleft") as? Number)?.toInt()
    }

    private var instance = ""
    @Volatile private var token: String? = null
    private var pushToken: String? = null
    private var lastEvent = 0L
    private var biometrics: PrivateKey? = null
    private var step: Step? = null
    private val handled = HashSet<String>()
    private val waiting = ArrayDeque<() -> Unit>()
    /** Of the user's last deed, by the server's clock in seconds. */
    private var activity = 0L
    private var idle: ScheduledFuture<*>? = null
    private val isReadingNoted = AtomicBoolean(true)
    private val pings = HashMap<String, ScheduledFuture<*>>()

    /** What goes wrong in [work] is told and harms nothing else. */
    internal fun later(work: () -> Unit) = try {
        worker.execute { guarded(work) }
    } catch (_: RejectedExecutionException) {
        // Another connect has taken over.
    }

    private fun guarded(work: () -> Unit) {
        try {
            work()
        } catch (failure: Throwable) {
            if ((failure as? Refused)?.status == 401) forgetAll()
            val (error, message) = explain(failure, null)
            tell(UserErrorMessage(error.code, message), Error(error, message))
        }
    }

    /** What goes wrong in [work], unless the app is to blame, ends what is being asked. */
    private fun attempt(step: Step, work: () -> Unit) {
        try {
            work()
        } catch (misuse: Misuse) {
            throw misuse
        } catch (failure: Throwable) {
            if ((failure as? Refused)?.status == 401) forgetAll()
            val (error, message) = explain(failure, step.type)
            fail(step, error, message)
        }
    }

    private fun explain(failure: Throwable, kind: String?): Pair<NextAuthError, String> = when (failure) {
        is Refused -> NextAuthError.of(failure.number, kind) to (failure.message ?: "")
        is Misuse -> NextAuthError.WRONG_STATE to (failure.message ?: "")
        is NextAuthException -> failure.error to (failure.message ?: "")
        is IOException -> NextAuthError.UNREACHABLE to "$base: $failure"
        else -> NextAuthError.UNREACHABLE to "what answers at $base is not understood, is it Understudy? $failure"
    }

    /** Tells version 2 and version 3, each its own, where the configuration does not say that one of them is enough. */
    private fun tell(old: Callback?, new: Callback?) {
        val isLegacy = config.legacyUserInteraction
        if (old != null && isLegacy != false) call(old)
        if (new != null && isLegacy != true) call(new)
    }

    private fun call(callback: Callback) {
        callbackExecutor.execute { observers.forEach { it.onCallback(callback) } }
    }

    /** Says where the flow stands. */
    private fun show(step: Step, state: Flow.State, error: NextAuthError? = null) {
        val account = SecondFactorAccount(step.triesLeft, step.isPinBlocked)
        val isOver = state == Flow.State.DONE || state == Flow.State.ERROR
        val type = Flow.Type.valueOf(mapOf("APPLOGIN" to "LOGIN", "TRANSACTION" to "SIGN_TRANSACTION")[step.type] ?: step.type)
        val now = Flow(type, state, step.session, transaction(step), if (isOver) null else interaction(step), step.previous, account, error)
        flow = if (isOver) null else now
        tell(null, FlowUpdate(now))
    }

    private fun interaction(step: Step): Interaction? {
        val type = Interaction.Type.valueOf(step.wish ?: return null)
        val info = when (type) {
            Interaction.Type.VERIFY_SECOND_FACTOR -> InteractionSecondFactorInfo(allowed(step), emptySet())
            Interaction.Type.SET_SECOND_FACTOR -> InteractionSecondFactorInfo(settable, setOf(InteractionSecondFactorInfo.SecondFactorType.PIN))
            else -> null
        }
        val session = if (type != Interaction.Type.CONFIRM) null else
            InteractionConfirmSessionInfo(if (step.type == "ENROL") kept.toList() else candidates(step), step.interaction?.get("secondfactor") != false)
        return Interaction(type, step.inputs, info, session, if (step.type == "ENROL") vash(step) else null)
    }

    private fun allowed(step: Step) = (step.interaction?.get("allowed") as? List<*> ?: listOf("PIN"))
        .map { if (it == "PIN") InteractionSecondFactorInfo.SecondFactorType.PIN else InteractionSecondFactorInfo.SecondFactorType.BIOMETRICS }.toSet()

    private val settable get() = InteractionSecondFactorInfo.SecondFactorType.values()
        .filterNot { it == InteractionSecondFactorInfo.SecondFactorType.BIOMETRICS && config.biometricsDisabled }.toSet()

    private fun transaction(step: Step): Transaction? {
        val asked = step.interaction?.get("transaction") as? Map<*, *> ?: return null
        return Transaction().apply {
            amount = asked["amount"] as? String
            benificiary = asked["benificiary"] as? String
            description = asked["description"] as? String
        }
    }

    private fun close() {
        token = null
        worker.shutdownNow()
        reader.shutdownNow()
    }

    private fun begin() {
        load()
        if (token == null) return
        later {
            // What ran when the process ended is over: an AppLogin is tied to the app.
            val told = call("GET", "/instance") as Map<*, *>
            for (session in (told["sessions"] as List<*>).map { it as Map<*, *> }) {
                call("POST", "/sessions/${session["sessionid"]}/stop", mapOf("reason" to "USER"))
            }
        }
        later(::listen)
    }

    private fun register() {
        if (token != null) return
        val wish = mapOf("platform" to "android", "clientVersion" to "3.0-stub", "pushtoken" to pushToken).filterValues { it != null }
        val made = call("POST", "/instances", wish) as Map<*, *>
        instance = made["instanceid"] as String
        token = made["token"] as String
        lastEvent = 0
        save()
        listen()
    }

    /** Says that the user reads a list, as the inactivity timeout wants to know, without keeping anybody waiting. */
    internal fun noteReading() {
        if (token == null || !isReadingNoted.getAndSet(false)) return
        try {
            reader.execute {
                isReadingNoted.set(true)
                try {
                    val now = ((call("GET", "/sessions") as Map<*, *>)["time"] as Number).toLong()
                    later { note(now) }
                } catch (_: Exception) {
                    // The next reading says so again; whether the server lives, the pings find out.
                }
            }
        } catch (_: RejectedExecutionException) {
            // Another connect has taken over.
        }
    }

    private fun noteActivity() = note(((call("GET", "/sessions") as Map<*, *>)["time"] as Number).toLong())

    private fun note(time: Long) {
        activity = maxOf(activity, time)
        idle?.cancel(false)
        val seconds = config.inactivityTimeout ?: return
        idle = schedule(seconds * 1000) { appLoginSession?.let { stop(it, "INACTIVITY") } }
    }

    private fun schedule(milliseconds: Long, work: () -> Unit): ScheduledFuture<*> =
        worker.schedule({ guarded(work) }, milliseconds, TimeUnit.MILLISECONDS)

    // Flows

    internal fun start(kind: String, wish: Map<String, Any?>) = later { begin(kind, wish) }

    /** [isDeed]: of the user, not a push. */
    internal fun begin(kind: String, wish: Map<String, Any?>, isDeed: Boolean = true) {
        if (step != null) throw Misuse("Another session waits for the user; stop it first.")
        val step = Step(kind, Session(kind == "APPLOGIN")).also { this.step = it }
        show(step, Flow.State.PROCESSING)
        attempt(step) {
            register()
            if (isDeed) noteActivity()
            step.flow = call("POST", "/flows", mapOf("type" to kind, "config" to config.wire) + wish) as Map<*, *>
            proceed(step)
        }
    }

    private fun proceed(step: Step) {
        val session = step.session
        val announced = (step.interaction?.get("announceinfo") as? Map<*, *>)?.get("info") as? Map<*, *>
        if (announced != null) session.texts = announced.entries.associate { "${it.key}" to "${it.value}" }
        when (step.flow["state"]) {
            "DONE" -> finish(step)
            "ERROR" -> {
                val error = step.flow["error"] as? Map<*, *>
                val number = (error?.get("number") as? Number)?.toInt() ?: 0
                fail(step, NextAuthError.of(number, step.type), "${error?.get("message") ?: "the session has failed"}")
            }
            else -> {
                session.state = Session.State.WAITING_FOR_USER_INPUT
                if (step.wish == null) take(step, "complete", mapOf("signature" to sign(step, owner(step)))) else ask(step)
            }
        }
    }

    private fun ask(step: Step) {
        val session = step.session
        val old = when (step.wish) {
            "CONFIRM" -> if (step.type == "ENROL") ConfirmEnrol(session, vash(step)) else ConfirmLogin(session, candidates(step))
            "CONFIRM_TRANSACTION" -> transaction(step)?.run { ConfirmTransaction(session, amount, benificiary, description) }
            else -> if (step.isAsked) null else SecondFactor(session, SecondFactor.Context.valueOf(step.interaction?.get("context") as String), null, step.triesLeft)
        }
        step.isAsked = step.wish == "SET_SECOND_FACTOR" || step.wish == "VERIFY_SECOND_FACTOR"
        tell(old, null)
        show(step, Flow.State.WAIT_FOR_INPUT)
    }

    private fun vash(step: Step): ByteArray? =
        if (config.hideVash) null else ((step.flow["server"] as? Map<*, *>)?.get("vash") as? String)?.let(::unb64)

    private fun candidates(step: Step): List<Account> = (step.interaction?.get("accounts") as? List<*> ?: emptyList<Any>())
        .mapNotNull { one -> kept.find { it.id == ((one as Map<*, *>)["accountid"] as Number).toLong() } }

    private fun owner(step: Step): Account {
        val server = (step.flow["server"] as Map<*, *>)["serverid"] as String
        return (if (step.wish == null) null else candidates(step).firstOrNull())
            ?: kept.find { it.serverId.trimEnd('=') == server.trimEnd('=') } ?: throw Refused(31, 404, "The account is not on this device.")
    }

    private fun sign(step: Step, account: Account, approve: String = "") =
        sign(account.key, step.id, step.type, step.challenge, "${account.id}", approve)

    internal fun confirm(session: Session?, account: Account?, userInput: String?) = answer(session, "CONFIRM") { step ->
        val more = if (userInput == null) emptyMap() else mapOf("userinput" to userInput)
        if (step.type == "ENROL") {
            val pair = newKey().also { step.newKey = it }
            val public = b64(pair.public.encoded)
            take(step, "confirm", mapOf("publickey" to public, "description" to "Understudy stub",
                "signature" to sign(pair.private, step.id, step.type, step.challenge, public, "")) + more, Interaction.InputType.CONFIRM)
        } else {
            val chosen = account ?: candidates(step).singleOrNull() ?: throw Misuse("Give one of the accounts of the question.")
            take(step, "confirm", mapOf("accountid" to chosen.id, "signature" to sign(step, chosen)) + more, Interaction.InputType.CONFIRM)
        }
    }

    internal fun decide(session: Session?, approve: Boolean) = answer(session, "CONFIRM_TRANSACTION") { step ->
        val signature = sign(step, owner(step), if (approve) "1" else "0")
        take(step, "confirm", mapOf("approve" to approve, "signature" to signature), Interaction.InputType.CONFIRM)
    }

    /** [session]: null means the one of which something is asked. */
    private fun answer(session: Session?, wish: String, work: (Step) -> Unit) = later {
        val step = step?.takeIf { session == null || it.session === session } ?: throw Misuse("This session waits for nothing.")
        if (step.wish != wish) throw Misuse("This session waits for ${step.wish}.")
        attempt(step) {
            noteActivity()
            work(step)
        }
    }

    internal fun factor(pin: PinContainer?, biometric: Boolean) = later {
        val step = step?.takeIf { it.isAsked } ?: throw Misuse("No second factor is asked for.")
        if (pin != null && pin.digits.isEmpty()) throw Misuse("The PIN is empty.")
        if (pin == null && step.wish == "SET_SECOND_FACTOR") throw Misuse("The first time needs a PIN.")
        if (pin == null && biometrics == null) throw Misuse("No biometrics are set up.")
        attempt(step) {
            noteActivity()
            val body = if (step.wish == "SET_SECOND_FACTOR") newFactor(checkNotNull(pin), biometric) else proof(step, pin)
            pin?.clear()
            val inputs = listOfNotNull(pin?.let { Interaction.InputType.PIN }, Interaction.InputType.BIOMETRICS.takeIf { biometric })
            take(step, "secondfactor", body, *inputs.toTypedArray())
        }
    }

    private fun newFactor(pin: PinContainer, biometric: Boolean): Map<String, Any?> {
        val body = mapOf("pinkey" to b64(pinKey(pin)))
        if (!biometric || config.biometricsDisabled) return body
        return body + ("biometrickey" to b64(newKey().also { biometrics = it.private }.public.encoded))
    }

    private fun proof(step: Step, pin: PinContainer?): Map<String, Any?> {
        // An enrolment or a confirmed step was signed before.
        val body = if (step.isConfirmed || step.type == "TRANSACTION") emptyMap() else mapOf("signature" to sign(step, owner(step)))
        if (pin != null) return body + ("pinproof" to b64(hmac(pinKey(pin), unb64(step.challenge))))
        val subject = step.newKey?.let { b64(it.public.encoded) } ?: "${owner(step).id}"
        val key = checkNotNull(biometrics)
        return body + ("biometricsignature" to sign(key, step.id, step.type, step.challenge, subject, if (step.type == "TRANSACTION") "1" else ""))
    }

    /** Takes a step and says what came of it. */
    private fun take(step: Step, name: String, body: Map<String, Any?>, vararg inputs: Interaction.InputType) {
        step.inputs = inputs.toSet()
        show(step, Flow.State.PROCESSING)
        val asked = step.wish?.let(Interaction.Type::valueOf)
        step.flow = call("POST", "/flows/${step.id}/$name", body) as Map<*, *>
        if (name == "confirm") step.isConfirmed = true
        val isFactor = name == "secondfactor"
        val result = if (isFactor) SecondFactor.Result.valueOf(step.interaction?.get("result") as String) else SecondFactor.Result.SUCCESS
        val outcome = if (result == SecondFactor.Result.SUCCESS) InteractionResult.Type.SUCCESS else InteractionResult.Type.PIN_FAIL
        if (asked != null) step.previous = InteractionResult(outcome, asked, step.inputs)
        step.inputs = emptySet()
        step.isPinBlocked = result == SecondFactor.Result.BLOCKED
        if (isFactor) tell(SecondFactor(step.session, null, result, step.triesLeft), null)
        proceed(step)
    }

    private fun finish(step: Step) {
        this.step = null
        val told = step.flow["session"] as? Map<*, *>
        if (told == null) step.session.state = Session.State.DONE else begin(step, told, step.flow["account"] as Map<*, *>)
        show(step, Flow.State.DONE)
        if (told != null) tell(SessionLogin(step.session), SessionUpdate(step.session))
        next()
    }

    private fun begin(step: Step, told: Map<*, *>, owner: Map<*, *>) {
        val number = (owner["accountid"] as Number).toLong()
        step.newKey?.let { kept += Account(number, owner["serverid"] as String, it.private, b64(it.public.encoded)) }
        val account = kept.first { it.id == number }
        account.userName = owner["username"] as String
        account.userId = owner["userid"] as? String
        save()
        val session = step.session
        session.id = told["sessionid"] as String
        session.account = account
        session.webNonce = told["webnonce"] as? String
        session.pingTime = (told["pingTime"] as Number).toLong()
        session.state = Session.State.ACTIVE
        if (session.isAppLogin) appLoginSession = session
        if (session.pingTime > 0) {
            running += session
            ping(session, session.pingTime * 500)
        }
    }

    private fun fail(step: Step, error: NextAuthError, message: String) {
        step.session.state = Session.State.ERROR
        if (this.step === step) this.step = null
        tell(UserErrorMessage(error.code, message), null)
        show(step, Flow.State.ERROR, error)
        next()
    }

    /** The next push that had to wait. */
    private fun next() { if (step == null) waiting.removeFirstOrNull()?.let(::later) }

    internal fun cancel() = later { stop(step?.session ?: throw Misuse("No flow is active."), "USER") }

    // Sessions that run

    private fun ping(session: Session, milliseconds: Long) {
        val id = session.id ?: return
        pings.remove(id)?.cancel(false)
        pings[id] = schedule(milliseconds) { pingNow(session) }
    }

    /** A ping that fails is nothing but late: whatever the user does meanwhile goes on. */
    private fun pingNow(session: Session) {
        try {
            val told = call("POST", "/sessions/${session.id}/ping", if (session.isAppLogin) mapOf("activity" to activity) else emptyMap()) as Map<*, *>
            ping(session, (told["next"] as Number).toLong() * 1000)
        } catch (refusal: Refused) {
            // The reason of a 404 comes as an event; whoever is first tells the app.
            if (refusal.status == 401) forgetAll() else if (refusal.status != 404) ping(session, RETRY)
        } catch (_: Exception) {
            ping(session, RETRY)
        }
    }

    internal fun stop(session: Session, reason: String) {
        val asked = step
        if (asked?.session === session) return cancel(asked, reason)
        try {
            call("POST", "/sessions/${session.id ?: return}/stop", mapOf("reason" to reason))
        } catch (refusal: Refused) {
            if (refusal.status != 404) throw refusal
        }
        end(session, reason)
    }

    private fun cancel(step: Step, reason: String) = attempt(step) {
        try {
            call("POST", "/flows/${step.id}/cancel", emptyMap<String, Any>())
        } catch (refusal: Refused) {
            if (refusal.status != 404) throw refusal // Else it is over already.
        }
        step.session.state = Session.State.ERROR
        this.step = null
        if (step.isAsked) tell(SecondFactor(step.session, null, SecondFactor.Result.CANCELLED, null), null)
        show(step, Flow.State.ERROR)
        tell(SessionStop(step.session, reason), SessionUpdate(step.session))
        next()
    }

    private fun end(session: Session, reason: String) {
        if (!running.remove(session)) return
        pings.remove(session.id)?.cancel(false)
        session.state = Session.State.DONE
        if (appLoginSession === session) appLoginSession = null
        tell(SessionStop(session, reason), SessionUpdate(session))
    }

    internal fun delete(account: Account) = later {
        noteActivity()
        val challenge = (call("POST", "/instance/challenge") as Map<*, *>)["challenge"] as String
        call("DELETE", "/accounts/${account.id}", mapOf("signature" to sign(account.key, instance, "DELETE_ACCOUNT", challenge, "${account.id}", "")))
        forget(account)
    }

    private fun forget(account: Account) {
        if (!kept.remove(account)) return
        running.filter { it.account === account }.forEach { end(it, "ACCOUNT_DELETED") }
        if (kept.isEmpty()) biometrics = null
        save()
        call(AccountDeleted(account))
    }

    /** The server does not know this installation any more: its world was made anew. */
    private fun forgetAll() {
        token = null
        kept.toList().forEach(::forget)
        save()
    }

    // Events

    private fun listen() {
        val mine = token ?: return
        Thread({
            try {
                while (token == mine) if (!hearOnce(mine)) Thread.sleep(RETRY)
            } catch (_: InterruptedException) {
                // Another connect has taken over.
            } catch (_: RejectedExecutionException) {
                // The same.
            }
        }, "nextAuth stub events").apply { isDaemon = true }.start()
    }

    /** Whether the server answered as it should; if not, a pause is due. */
    private fun hearOnce(mine: String): Boolean {
        val told = try {
            call("GET", "/events?since=$lastEvent&wait=25") as Map<*, *>
        } catch (failure: Exception) {
            if ((failure as? Refused)?.status == 401) worker.execute { if (token == mine) forgetAll() }
            return false
        }
        return worker.submit<Boolean> {
            try {
                if (token == mine) heed(told)
                true
            } catch (failure: Exception) {
                if ((failure as? Refused)?.status == 401 && token == mine) forgetAll()
                false
            }
        }.get()
    }

    private fun heed(told: Map<*, *>) {
        for (event in (told["events"] as List<*>).map { it as Map<*, *> }) {
            val session = running.find { it.id == event["sessionid"] }
            val account = kept.find { it.id == (event["accountid"] as? Number)?.toLong() }
            when (event["type"]) {
                "PING" -> session?.let(::pingNow)
                "SESSION_STOP" -> session?.let { end(it, event["reason"] as String) }
                "ACCOUNT_DELETED" -> account?.let(::forget)
                "ACCOUNT_UPDATED" -> account?.let {
                    it.userName = event["username"] as? String ?: it.userName
                    it.userId = event["userid"] as? String
                    it.isBlocked = event["blocked"] == true
                    call(AccountUpdate(it))
                }
                "MESSAGE" -> pull(messages())
            }
        }
        lastEvent = (told["last"] as Number).toLong()
        save()
    }

    private fun messages() = (call("GET", "/messages") as List<*>).map { it as Map<*, *> }

    /** Takes up pushes that wait. No activity of the user. */
    private fun pull(messages: List<Map<*, *>>) {
        for (message in messages) {
            val id = message["messageid"] as String
            if (!handled.add(id)) continue
            val kind = message["type"] as String
            if (kind == "LOGIN" || kind == "TRANSACTION") {
                waiting.addLast { begin(kind, mapOf("messageid" to id), isDeed = false) }
            } else {
                call("POST", "/messages/$id/read", emptyMap<String, Any>())
            }
        }
        next()
    }

    // Wire

    private fun call(method: String, path: String, body: Any? = null): Any? {
        val connection = URL(base + path).openConnection() as HttpURLConnection
        connection.requestMethod = method
        connection.connectTimeout = 10_000
        connection.readTimeout = 60_000
        token?.let { connection.setRequestProperty("Authorization", "Device $it") }
        if (body != null) {
            connection.setRequestProperty("Content-Type", "application/json")
            connection.doOutput = true
            connection.outputStream.use { it.write(Json.text(body).toByteArray()) }
        }
        val status = connection.responseCode
        val text = (if (status < 400) connection.inputStream else connection.errorStream)?.use { String(it.readBytes()) } ?: ""
        if (status < 400) return if (text.isEmpty()) null else Json.parse(text)
        val told = try { Json.parse(text) as? Map<*, *> } catch (_: IllegalArgumentException) { null }
        throw Refused((told?.get("number") as? Number)?.toInt() ?: 0, status, "${told?.get("message") ?: text}")
    }

    // Proofs

    private fun newKey(): KeyPair =
        KeyPairGenerator.getInstance("EC").apply { initialize(ECGenParameterSpec("secp256r1")) }.generateKeyPair()

    private fun sign(key: PrivateKey, vararg lines: String): String {
        val text = (listOf("understudy-nextauth-1") + lines).joinToString("") { it + "\n" }
        return b64(Signature.getInstance("SHA256withECDSA").apply { initSign(key); update(text.toByteArray()) }.sign())
    }

    /** PBKDF2 with HMAC-SHA-256, 10,000 rounds, one block; Android has it from API 26 on. Source: RFC 8018 §5.2. */
    private fun pinKey(pin: PinContainer): ByteArray {
        val text = Charsets.UTF_8.encode(CharBuffer.wrap(pin.digits)).let { bytes -> ByteArray(bytes.remaining()).also(bytes::get) }
        val mac = Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(text, "HmacSHA256")) }
        var round = mac.doFinal(unb64(instance) + byteArrayOf(0, 0, 0, 1))
        val sum = round.copyOf()
        repeat(9_999) {
            round = mac.doFinal(round)
            for (index in sum.indices) sum[index] = (sum[index].toInt() xor round[index].toInt()).toByte()
        }
        return sum
    }

    private fun privateKey(text: String): PrivateKey = KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(unb64(text)))

    private fun hmac(key: ByteArray, data: ByteArray): ByteArray =
        Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(data)

    // What outlives the process

    private fun save() {
        val file = storage ?: return
        val all = mapOf("instanceid" to instance, "token" to token, "last" to lastEvent, "biometrics" to biometrics?.let { b64(it.encoded) }, "accounts" to kept.map {
            mapOf("accountid" to it.id, "serverid" to it.serverId, "username" to it.userName, "userid" to it.userId,
                "key" to b64(it.key.encoded), "publickey" to it.publicKey)
        })
        try {
            val fresh = File(file.path + ".new")
            fresh.writeText(Json.text(all))
            if (!fresh.renameTo(file)) throw IOException("$fresh cannot take the place of $file")
        } catch (failure: IOException) {
            val message = "accounts and keys cannot be kept in $file: $failure"
            tell(UserErrorMessage(NextAuthError.UNREACHABLE.code, message), Panic(message))
        }
    }

    private fun load() {
        val file = storage?.takeIf { it.exists() } ?: return
        try {
            restore(Json.parse(file.readText()) as Map<*, *>)
        } catch (failure: Exception) {
            throw IllegalArgumentException("$file holds no installation of this stub; delete it to begin anew", failure)
        }
    }

    private fun restore(all: Map<*, *>) {
        instance = all["instanceid"] as String
        lastEvent = (all["last"] as Number).toLong()
        biometrics = (all["biometrics"] as? String)?.let(::privateKey)
        for (one in (all["accounts"] as List<*>).map { it as Map<*, *> }) {
            val key = privateKey(one["key"] as String)
            val account = Account((one["accountid"] as Number).toLong(), one["serverid"] as String, key, one["publickey"] as String)
            account.userName = one["username"] as String
            account.userId = one["userid"] as? String
            kept += account
        }
        token = all["token"] as? String
    }
}

/** How long to wait before something that failed is tried again, in milliseconds. */
private const val RETRY = 1000L

/** The text of a QR code of Understudy's nextAuth. */
private object Code {
    /** The kind of its flow and the code itself, which may stand in a link as base64url behind the scheme. */
    fun read(data: String): Pair<String, String> {
        val code = if (data.startsWith("na1;")) data else try {
            String(unb64(data.substringAfter(':')), Charsets.ISO_8859_1)
        } catch (_: IllegalArgumentException) { "" }
        val parts = code.split(";")
        if (parts[0] != "na1" || parts.size < 5) {
            throw NextAuthException(NextAuthError.QR_PARSING_ERROR, "“${data.take(60)}” is not a code of Understudy's nextAuth")
        }
        val kind = mapOf("E" to "ENROL", "L" to "LOGIN", "S" to "TRANSACTION")[parts[1]]
            ?: throw NextAuthException(NextAuthError.QR_UNKNOWN_TYPE, "“${parts[1]}” is no kind of code: E, L or S")
        return kind to code
    }
}

/** The vendor's configuration as the device protocol knows it. */
private class Configuration(members: Map<*, *>) {
    val inactivityTimeout = seconds(members, "appLoginInactivityTimeout") ?: seconds(members, "timeoutInactivityAppLogin")
    val biometricsDisabled = members["biometricsDisabled"] == true
    val hideVash = members["hideVash"] == true
    val legacyUserInteraction = members["legacyUserInteraction"] as? Boolean
    val wire: Map<String, Any?> = mapOf(
        "inactivityTimeout" to inactivityTimeout, "appLoginTimeout" to seconds(members, "timeoutAppLogin"),
        "secondFactorUserInputTimeout" to seconds(members, "secondFactorUserInputTimeout"), "singleAccount" to members["singleAccount"],
        "autoSelectSingleAccount" to members["automaticallySelectSingleAccountWhenSecondFactorNeeded"],
        "alwaysRequireSecondFactorIfInactiveAppLogin" to members["alwaysRequireSecondFactorIfInactiveAppLogin"],
        "blockSecondFactorOnPINBlocked" to members["blockSecondFactorOnPINBlocked"]).filterValues { it != null }

    /** A duration string such as 5m, 1.5h or 1h30m, in seconds, rounded up; null for 0, which the vendor ignores. */
    private fun seconds(members: Map<*, *>, name: String): Long? {
        val text = "${members[name] ?: return null}"
        if (text == "0") return null
        val parts = Regex("(\\d+(?:\\.\\d*)?|\\.\\d+)(ms|h|m|s)").findAll(text).toList()
        require(parts.isNotEmpty() && parts.joinToString("") { it.value } == text) { "$name is “$text”, expected a duration such as 5m, 90s or 1.5h" }
        val units = mapOf("h" to "3600", "m" to "60", "s" to "1", "ms" to "0.001")
        val sum = parts.fold(BigDecimal.ZERO) { sum, part -> sum + BigDecimal(part.groupValues[1]) * BigDecimal(units[part.groupValues[2]]) }
        return sum.setScale(0, RoundingMode.CEILING).toLong().takeIf { it > 0 }
    }
}

/** Android's main thread; where there is none, or only one that does nothing as in tests on the JVM, a thread of our own. */
private fun callbackThread(): Executor {
    val own = Executors.newSingleThreadExecutor { Thread(it, "nextAuth stub callbacks").apply { isDaemon = true } }
    return try {
        val looper = Class.forName("android.os.Looper").getMethod("getMainLooper").invoke(null) ?: return own
        val handlers = Class.forName("android.os.Handler")
        val handler = handlers.getConstructor(Class.forName("android.os.Looper")).newInstance(looper)
        val post = handlers.getMethod("post", Runnable::class.java)
        Executor { if (post.invoke(handler, it) != true) own.execute(it) }
    } catch (_: ReflectiveOperationException) {
        own
    }
}

private const val ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Base64url without padding; java.util.Base64 is there from API 26 on. Source: RFC 4648 §5. */
private fun b64(bytes: ByteArray): String {
    val text = StringBuilder()
    var (buffer, bits) = 0 to 0
    for (byte in bytes) {
        buffer = (buffer shl 8) or (byte.toInt() and 255)
        bits += 8
        while (bits >= 6) {
            bits -= 6
            text.append(ALPHABET[(buffer shr bits) and 63])
        }
        buffer = buffer and ((1 shl bits) - 1)
    }
    if (bits > 0) text.append(ALPHABET[(buffer shl (6 - bits)) and 63])
    return text.toString()
}

/** Either alphabet, padded or not; throws IllegalArgumentException. */
private fun unb64(text: String): ByteArray {
    val plain = text.replace('+', '-').replace('/', '_').trimEnd('=')
    val bytes = ByteArray(plain.length * 6 / 8)
    var (buffer, bits, count) = Triple(0, 0, 0)
    for (character in plain) {
        val value = ALPHABET.indexOf(character)
        require(value >= 0) { "“$character” does not belong into base64url" }
        buffer = (buffer shl 6) or value
        bits += 6
        if (bits < 8) continue
        bits -= 8
        bytes[count++] = (buffer shr bits).toByte()
        buffer = buffer and ((1 shl bits) - 1)
    }
    return bytes
}

/** As much JSON as the protocol needs: objects as maps, arrays as lists, numbers as Long or BigDecimal. */
private class Json(private val text: String) {
    companion object {
        fun parse(text: String): Any? = Json(text).run { value().also { space(); if (at != text.length) fail() } }

        fun text(value: Any?): String = when (value) {
            is Map<*, *> -> value.entries.joinToString(",", "{", "}") { text("${it.key}") + ":" + text(it.value) }
            is List<*> -> value.joinToString(",", "[", "]") { text(it) }
            is String -> value.map { if (it < ' ' || it == '"' || it == '\\') "\\u%04x".format(it.code) else "$it" }.joinToString("", "\"", "\"")
            else -> "$value"
        }
    }

    private var at = 0

    private fun fail(): Nothing = throw IllegalArgumentException("no JSON at character $at: ${text.take(80)}")
    private fun space() { while (at < text.length && text[at] in " \t\r\n") at++ }
    private fun take(expected: Char): Boolean { space(); return (at < text.length && text[at] == expected).also { if (it) at++ } }

    private fun value(): Any? {
        space()
        if (at >= text.length) fail()
        if (take('{')) return members()
        if (take('[')) return elements()
        if (text[at] == '"') return string()
        for ((word, meaning) in listOf("true" to true, "false" to false, "null" to null)) {
            if (text.startsWith(word, at)) { at += word.length; return meaning }
        }
        val end = (at until text.length).find { text[it] !in "+-.eE0123456789" } ?: text.length
        val number = text.substring(at, end).also { at = end }
        return number.toLongOrNull() ?: number.toBigDecimalOrNull() ?: fail()
    }

    private fun members(): Map<String, Any?> {
        val found = LinkedHashMap<String, Any?>()
        if (take('}')) return found
        do {
            space()
            val name = string()
            if (!take(':')) fail()
            found[name] = value()
        } while (take(','))
        if (!take('}')) fail()
        return found
    }

    private fun elements(): List<Any?> {
        val found = ArrayList<Any?>()
        if (take(']')) return found
        do found += value() while (take(','))
        if (!take(']')) fail()
        return found
    }

    private fun string(): String {
        if (!take('"')) fail()
        val out = StringBuilder()
        while (true) {
            val next = text.getOrNull(at++) ?: fail()
            when (next) {
                '"' -> return out.toString()
                '\\' -> out.append(escape())
                else -> out.append(next)
            }
        }
    }

    private fun escape(): Char = when (val next = text.getOrNull(at++) ?: fail()) {
        'n' -> '\n'; 't' -> '\t'; 'r' -> '\r'; 'b' -> '\b'; 'f' -> '\u000c'
        'u' -> text.substring(at, minOf(at + 4, text.length)).toIntOrNull(16)?.toChar()?.also { at += 4 } ?: fail()
        else -> next
    }
}
