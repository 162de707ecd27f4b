// The app of nextAuth's quick start “AppLogin” in Java: lines that begin with //= stand for the guide's own code. A user is at its keyboard.
package guide;

import com.nextauth.android.*;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;

public class NextAuthGuide extends AbstractCallbackHandler implements NextAuthObserver {
    private Session confirms;

    public void onResume() {
        NextAuth.getNextAuth().addObserver(this);
        //= java: entry point | Show your AppLogin flow: show("login"); | Present your onboarding flow: show("onboarding");
        if (NextAuth.getNextAuth().getAppLogin().isLoggedIn()) {
            show("home " + NextAuth.getNextAuth().getAppLogin().getUserName());
        }
    }

    @Override
    public void onCallback(Callback callback) {
        callback.trigger(this);
        //= java: callbacks | Show your AppLogin flow: show("login"); | Present your onboarding flow: show("onboarding");
    }

    public void onLoginPressed() {
        //= java: logging in
    }

    public void onLogoutPressed() {
        //= java: logging out
    }

    public String home() {
        //= java: while being logged in
        return "home " + username + " " + webNonce;
    }

    // What the guide leaves to the pages about user interaction.

    @Override
    public void onConfirmEnrol(ConfirmEnrol callback) {
        confirms = callback.getSession();
        show("ConfirmEnrol " + (callback.getVash() != null && callback.getVash().length > 100));
    }

    @Override
    public void onConfirmLogin(ConfirmLogin callback) {
        confirms = callback.getSession();
        StringBuilder names = new StringBuilder();
        for (Account account : callback.getAccounts()) {
            names.append(names.length() == 0 ? "" : ",").append(account.getUserName());
        }
        show("ConfirmLogin " + names + " " + confirms.getAnnounceInfo().getInfo("shop"));
    }

    @Override
    public void onConfirmTransaction(ConfirmTransaction callback) {
        confirms = callback.getSession();
        show("ConfirmTransaction " + callback.getAmount() + " " + callback.getBenificiary());
    }

    @Override
    public void onSecondFactor(SecondFactor callback) {
        show("SecondFactor " + (callback.getContext() != null ? callback.getContext() : callback.getResult()));
    }

    @Override
    public void onSessionLogin(SessionLogin callback) {
        show("SessionLogin");
        if (callback.getSession().isAppLogin()) {
            show(home());
        }
    }

    @Override
    public void onSessionStop(SessionStop callback) {
        show("SessionStop " + callback.getReason());
    }

    @Override
    public void onAccountUpdate(AccountUpdate callback) {
        show("AccountUpdate " + callback.getAccount().getUserId());
    }

    @Override
    public void onAccountDeleted(AccountDeleted callback) {
        show("AccountDeleted");
    }

    @Override
    public void onUserErrorMessage(UserErrorMessage callback) {
        show("UserErrorMessage " + callback.getCode());
    }

    private void hear(String line) {
        String word = line.contains(" ") ? line.substring(line.indexOf(' ') + 1) : "";
        SecondFactorManager factors = NextAuth.getNextAuth().getSecondFactorManager();
        switch (line.split(" ")[0]) {
            case "scan" -> NextAuth.getSessionManager().startSession(word.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            case "open" -> NextAuth.getSessionManager().startSession(word);
            case "confirm" -> NextAuth.getSessionManager().setAccount(confirms, null, "typed by the user");
            case "decline" -> NextAuth.getSessionManager().stopSession(confirms);
            case "sign" -> NextAuth.getSessionManager().confirmTransaction(confirms, word.equals("yes"));
            case "pin" -> factors.sfInput(new PinContainer(word));
            case "pin+finger" -> factors.sfInput(new PinContainer(word), new Object());
            case "finger" -> factors.sfInput(new Object());
            case "login" -> onLoginPressed();
            case "logout" -> onLogoutPressed();
            case "forget" -> NextAuth.getNextAuth().getAccountManager().deleteAccount(NextAuth.getNextAuth().getAccountManager().getAccounts().get(0));
            case "push" -> NextAuth.getNextAuth().updatePushToken(word);
            case "resume" -> {
                NextAuth.getNextAuth().removeObserver(this);
                onResume();
            }
            default -> throw new IllegalArgumentException("what is “" + line + "”?");
        }
    }

    private static synchronized void show(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Arguments: address, configuration, file. */
    public static void main(String[] arguments) throws Exception {
        NextAuth.connect(arguments[0], arguments[1], new File(arguments[2]));
        NextAuthGuide app = new NextAuthGuide();
        app.onResume();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            app.hear(line);
        }
    }
}
