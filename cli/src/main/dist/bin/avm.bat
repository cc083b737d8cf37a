@echo off
rem Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
rem Runs avm with the Java of AVM_JAVA_HOME, else the one in the folder runtime of this distribution, else that of JAVA_HOME,
rem else the one on the PATH; 17 or later.
rem AVM_JAVA_OPTS: more options for Java, such as -Xmx4g
setlocal
set "JAVA=java"
set "SHARED="
if not "%JAVA_HOME%"=="" set "JAVA=%JAVA_HOME%\bin\java.exe"
if exist "%~dp0..\runtime\bin\java.exe" (
  set "JAVA=%~dp0..\runtime\bin\java.exe"
  set "SHARED=%~dp0..\runtime\lib\avm.jsa"
)
if not "%AVM_JAVA_HOME%"=="" (
  set "JAVA=%AVM_JAVA_HOME%\bin\java.exe"
  set "SHARED="
)
"%JAVA%" --list-modules >nul 2>nul
if errorlevel 1 (
  echo avm: no Java 17 or later found; install it, or set JAVA_HOME 1>&2
  exit /b 1
)
for /f "tokens=3" %%v in ('""%JAVA%" -version 2>&1" ^| findstr /i "version"') do set "VERSION=%%~v"
for /f "delims=.-+ tokens=1" %%m in ("%VERSION%") do set "MAJOR=%%m"
if %MAJOR% LSS 17 (
  echo avm: Java 17 or later is needed, this is %VERSION%; set JAVA_HOME to a newer one 1>&2
  exit /b 1
)
set "ALLOWED="
if %MAJOR% GEQ 24 set "ALLOWED=--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
rem With this, avm loads the Vector API when it first computes. Java prints a warning where --add-modules names it.
set "VECTOR=--add-exports=java.base/jdk.internal.module=ALL-UNNAMED"
set "MEMORY="
if "%~1"=="serve" set "MEMORY=-XX:+ExitOnOutOfMemoryError"
for %%j in ("%~dp0..\lib\avm4j-cli-*.jar") do set "JAR=%%j"
set "ARCHIVE="
if not "%SHARED%"=="" set ARCHIVE=-XX:SharedArchiveFile="%SHARED%" -Xlog:cds=off
"%JAVA%" %ARCHIVE% -Xshare:auto %VECTOR% %ALLOWED% %MEMORY% %AVM_JAVA_OPTS% -cp "%JAR%" io.github.avm4j.cli.Main %*
exit /b %ERRORLEVEL%
